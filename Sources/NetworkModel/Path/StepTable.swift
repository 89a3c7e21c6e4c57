import Quantities

/// Rates that change at known instants, once or over and over: when a piece of work is done.
///
/// Instants are nanoseconds from the start of the phase. Finding the step costs O(log n).
struct StepTable {
    private let starts: [Int64]
    private let rates: [BitRate]
    /// After so long the first step begins again; nil: the last step lasts for ever.
    private let period: Int64?
    private let isDead: Bool

    /// Makes a table; traps on one that no reader would let through.
    init(_ steps: [RateSchedule.Step], period: Duration? = nil) {
        precondition(steps.first?.from == .zero, "the first step is at 0")
        starts = steps.map(\.from.wholeNanoseconds)
        rates = steps.map(\.rate)
        self.period = period?.wholeNanoseconds
        isDead = steps.allSatisfy { $0.rate.bitsPerSecond == 0 }
        let lastStart = starts[starts.count - 1]
        precondition((self.period ?? .max) > lastStart, "a period ends before its last step")
    }

    /// The rate at an offset into the phase.
    func rate(at offset: Int64) -> BitRate {
        rates[locate(max(0, offset)).index]
    }

    /// When `work` that starts at `start` is done; nil if never.
    func finish(_ work: Int64, from start: Int64) -> Int64? {
        guard !isDead else { return nil }
        var left = work
        var begin = start
        var place = locate(max(0, start))
        while true {
            let rate = rates[place.index]
            let end = end(of: place)
            if let done = RateClock.finish(left, from: begin, rate: rate), done <= end {
                return done
            }
            guard end < .max else { return nil }
            left -= RateClock.work(rate, from: begin, to: end)
            begin = end
            advance(&place)
        }
    }

    /// The work done between two offsets, saturating.
    func work(from start: Int64, to end: Int64) -> Int64 {
        var done: Int64 = 0
        var begin = start
        var place = locate(max(0, start))
        while begin < end {
            let stop = min(end, self.end(of: place))
            let piece = RateClock.work(rates[place.index], from: begin, to: stop)
            let (sum, overflow) = done.addingReportingOverflow(piece)
            guard !overflow else { return .max }
            done = sum
            begin = stop
            advance(&place)
        }
        return done
    }

    private func locate(_ offset: Int64) -> (cycle: Int64, index: Int) {
        let cycle = period.map { offset / $0 } ?? 0
        let within = offset - cycle * (period ?? 0)
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= within { low = middle } else { high = middle }
        }
        return (cycle, low)
    }

    private func end(of place: (cycle: Int64, index: Int)) -> Int64 {
        guard place.index + 1 == starts.count else {
            return place.cycle * (period ?? 0) + starts[place.index + 1]
        }
        return period.map { (place.cycle + 1) * $0 } ?? .max
    }

    private func advance(_ place: inout (cycle: Int64, index: Int)) {
        place.index += 1
        if place.index == starts.count { place = (place.cycle + 1, 0) }
    }
}
