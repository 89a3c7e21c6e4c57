import Quantities

/// How long a link takes to clock bits out, for one phase's rate schedule.
///
/// Work is counted in bit-nanoseconds (bits x 10^9), so that a change of rate in the middle of a
/// packet carries over exactly what is left of it.
final class RateClock {
    /// Bit-nanoseconds in a byte at 1 bit/s.
    static let workPerByte: Int64 = 8_000_000_000
    /// Bytes that one delivery opportunity carries (mahimahi's documented 1,500).
    static let opportunityBytes: Int64 = 1_500

    private let schedule: RateSchedule
    private let phaseStart: Int64
    /// The last opportunity that was drawn on, and what is left of it.
    private var drawn: Int64 = -1
    private var drawnInstant: Int64 = .min
    private var credit: Int64 = 0
    private let milliseconds: [Int64]
    private let table: StepTable?

    /// Begins a schedule at `phaseStart`; traps on one that no reader would let through.
    init(_ schedule: RateSchedule, phaseStart: SimulationInstant) {
        self.schedule = schedule
        self.phaseStart = phaseStart.nanoseconds
        if case .opportunities(let trace) = schedule {
            precondition((trace.last ?? 0) > 0, "a trace ends after 0 ms")
            milliseconds = trace
        } else {
            milliseconds = []
        }
        switch schedule {
        case .steps(let steps): table = StepTable(steps)
        case .repeatedSteps(let steps, let period): table = StepTable(steps, period: period)
        case .constant, .opportunities: table = nil
        }
    }

    /// The rate at `instant`; a trace's rate is its mean.
    func rate(at instant: SimulationInstant) -> BitRate {
        switch schedule {
        case .constant(let rate):
            return rate
        case .steps, .repeatedSteps:
            return table?.rate(at: instant.nanoseconds - phaseStart) ?? .unlimited
        case .opportunities(let trace):
            let bits = Int64(trace.count) * Self.opportunityBytes * 8
            return BitRate(bitsPerSecond: bits * 1_000 / (trace.last ?? 1))
        }
    }

    /// When `work` that starts at `start` is done, or nil if this schedule never does it.
    ///
    /// An opportunity serves only what came to the queue before it (`waitingSince`); what it leaves
    /// unused is wasted.
    func finish(_ work: Int64, from start: Int64, waitingSince: Int64) -> Int64? {
        switch schedule {
        case .constant(let rate):
            return Self.finish(work, from: start, rate: rate)
        case .steps, .repeatedSteps:
            return table?.finish(work, from: start - phaseStart).map { $0 + phaseStart }
        case .opportunities:
            let bytes = (work + Self.workPerByte - 1) / Self.workPerByte
            return draw(bytes, from: start, waitingSince: waitingSince)
        }
    }

    /// What is left at `now` of `work` that started at `start`.
    ///
    /// A trace has already spent its opportunities when this is asked, so the whole packet is sent
    /// again under the next schedule: at most one packet's worth of error a phase.
    func remainder(of work: Int64, from start: Int64, at now: Int64) -> Int64 {
        switch schedule {
        case .constant(let rate):
            return max(0, work - Self.work(rate, from: start, to: now))
        case .steps, .repeatedSteps:
            let done = table?.work(from: start - phaseStart, to: now - phaseStart) ?? 0
            return max(0, work - done)
        case .opportunities:
            return work
        }
    }

    /// The work that a rate does between two instants, saturating.
    static func work(_ rate: BitRate, from start: Int64, to end: Int64) -> Int64 {
        let (product, overflow) = rate.bitsPerSecond.multipliedReportingOverflow(by: end - start)
        return overflow ? .max / 2 : product
    }

    /// When a constant rate is done; nil at rate zero.
    static func finish(_ work: Int64, from start: Int64, rate: BitRate) -> Int64? {
        guard rate.bitsPerSecond > 0 else { return nil }
        guard rate.bitsPerSecond != .max else { return start }
        let (quotient, remainder) = work.quotientAndRemainder(dividingBy: rate.bitsPerSecond)
        return start + quotient + (remainder > 0 ? 1 : 0)
    }

    // MARK: Delivery opportunities

    private func instant(ofOpportunity index: Int64) -> Int64 {
        let count = Int64(milliseconds.count)
        let period = milliseconds[milliseconds.count - 1]
        let offset = index / count * period + milliseconds[Int(index % count)]
        return phaseStart + offset * 1_000_000
    }

    /// The first opportunity at or after `instant`.
    private func firstOpportunity(notBefore instant: Int64) -> Int64 {
        let count = Int64(milliseconds.count)
        let period = milliseconds[milliseconds.count - 1] * 1_000_000
        let offset = max(0, instant - phaseStart)
        // An opportunity at a cycle's end is listed in that cycle, so look one cycle back.
        let cycle = max(0, offset / period - (offset % period == 0 ? 1 : 0))
        let within = offset - cycle * period
        var low = 0
        var high = milliseconds.count
        while low < high {
            let middle = (low + high) / 2
            if milliseconds[middle] * 1_000_000 < within { low = middle + 1 } else { high = middle }
        }
        return low < milliseconds.count ? cycle * count + Int64(low) : (cycle + 1) * count
    }

    private func draw(_ bytes: Int64, from start: Int64, waitingSince: Int64) -> Int64 {
        var left = bytes
        if credit > 0, drawnInstant >= start, drawnInstant > waitingSince {
            let used = min(left, credit)
            credit -= used
            left -= used
            if left == 0 { return drawnInstant }
        }
        let earliest = max(start, waitingSince + 1)
        var next = max(drawn + 1, firstOpportunity(notBefore: earliest))
        while true {
            let used = min(left, Self.opportunityBytes)
            left -= used
            if left == 0 {
                drawn = next
                drawnInstant = instant(ofOpportunity: next)
                credit = Self.opportunityBytes - used
                return drawnInstant
            }
            next += 1
        }
    }
}
