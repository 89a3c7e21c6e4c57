import NetworkModel
import Quantities

/// Writes one direction of a phase as a packet-delivery trace, and tells the command that runs it.
package enum MahimahiWriter {
    /// Bits of a delivery opportunity: 1,500 bytes as the documentation has it (the code spends 1,504).
    static let opportunityBits: Int64 = 12_000
    /// A trace that repeats exactly is preferred up to so long; else it is a minute and rounded.
    static let longestExact: Int64 = 60_000
    /// More lines than this are refused: about 100 MB.
    static let mostLines: Int64 = 10_000_000

    /// The trace of one direction.
    package static func export(
        _ network: NetworkConfiguration,
        _ phase: NetworkPhase,
        isDown: Bool
    ) throws(ExchangeError) -> ExportedNetwork {
        let link = isDown ? phase.down : phase.up
        var notes = ExportedNetwork.commonNotes(network, phase)
        let instants = try opportunities(link.rate, &notes)
        notes += commandNotes(phase, notesLoss: true)
        return ExportedNetwork(
            text: instants.map { "\($0)\n" }.joined(),
            notes: notes
        )
    }

    /// The shells of mahimahi that set delay, loss and queue.
    private static func commandNotes(_ phase: NetworkPhase, notesLoss: Bool) -> [String] {
        var notes: [String] = []
        var shells: [String] = []
        let half = Duration.nanoseconds(phase.rtt.wholeNanoseconds / 2)
        let milliseconds = half.wholeNanoseconds / 1_000_000
        if milliseconds > 0 { shells.append("mm-delay \(milliseconds)") }
        if half != .milliseconds(milliseconds) {
            notes.append(
                "rtt: mm-delay takes whole milliseconds one way; \(half.compactText) is cut"
            )
        }
        if phase.delays.up != phase.delays.down, phase.oneWayUp != nil {
            notes.append("one_way: mm-delay has one value; half of the round trip stands for both")
        }
        for (name, loss) in [("uplink", phase.up.loss), ("downlink", phase.down.loss)] {
            switch loss {
            case .none: break
            case .bernoulli(let chance): shells.append("mm-loss \(name) \(chance.inUnits)")
            default: notes.append("\(name) loss in bursts: not carried; mm-loss draws each alone")
            }
        }
        if phase.jitter > .zero { notes.append("jitter: not carried; mahimahi has none") }
        shells.append("mm-link UP.trace DOWN.trace")
        shells.append("--uplink-queue=droptail --uplink-queue-args=\"packets=\(phase.up.queue)\"")
        shells.append("--downlink-queue=droptail")
        shells.append("--downlink-queue-args=\"packets=\(phase.down.queue)\"")
        notes.append("run it with: " + shells.joined(separator: " "))
        return notes
    }

    /// Delivery opportunities in milliseconds that carry a rate, each as soon as its bits are there.
    package static func opportunities(
        _ rate: RateSchedule,
        _ notes: inout [String]
    ) throws(ExchangeError) -> [Int64] {
        switch rate {
        case .opportunities(let instants):
            return instants
        case .constant(.unlimited):
            throw ExchangeError(
                "an unlimited rate has no trace",
                remedy: "name a rate, or leave mm-link out for this direction"
            )
        case .constant(let constant):
            return try evenly(constant, &notes)
        case .steps(let steps):
            notes.append("steps: the last rate is held for a minute, then the trace begins again")
            let end = (steps.last?.from ?? .zero) + .seconds(60)
            return try along(steps, period: end)
        case .repeatedSteps(let steps, let period):
            return try along(steps, period: period)
        }
    }

    /// The mean over a period, or over the steps and a minute of the last.
    package static func meanRate(_ rate: RateSchedule) -> BitRate {
        switch rate {
        case .constant(let constant):
            return constant
        case .opportunities(let instants):
            let bits = Int64(instants.count) * opportunityBits
            return BitRate(bitsPerSecond: bits * 1_000 / (instants.last ?? 1))
        case .steps(let steps):
            return mean(steps, (steps.last?.from ?? .zero) + .seconds(60))
        case .repeatedSteps(let steps, let period):
            return mean(steps, period)
        }
    }

    private static func mean(_ steps: [RateSchedule.Step], _ period: Duration) -> BitRate {
        var bits: Double = 0
        for (index, step) in steps.enumerated() {
            let end = index + 1 < steps.count ? steps[index + 1].from : period
            bits += Double(step.rate.bitsPerSecond) * (end - step.from).inSeconds
        }
        return BitRate(bitsPerSecond: Int64((bits / period.inSeconds).rounded()))
    }

    private static func evenly(
        _ rate: BitRate,
        _ notes: inout [String]
    ) throws(ExchangeError) -> [Int64] {
        let bits = rate.bitsPerSecond
        guard bits > 0 else {
            throw ExchangeError(
                "a rate of 0 has no trace",
                remedy: "name a rate above 0; a dead link is mm-onoff's"
            )
        }
        // count opportunities in period ms carry count x 12,000 / period bit/ms.
        let perMillisecond = opportunityBits * 1_000
        var divisor = bits
        var remainder = perMillisecond
        while remainder != 0 { (divisor, remainder) = (remainder, divisor % remainder) }
        var period = perMillisecond / divisor
        var count = bits / divisor
        if period > longestExact {
            period = longestExact
            let exact = bits.multipliedFullWidth(by: period)
            let division = perMillisecond.dividingFullWidth(exact)
            count = max(1, division.quotient + (division.remainder * 2 >= perMillisecond ? 1 : 0))
            let kept = count * perMillisecond / period
            notes.append("rate: \(rate) became \(BitRate(bitsPerSecond: kept)) in whole packets")
        }
        guard count <= mostLines else { throw tooLong(count) }
        return (1...count).map { number in (number * period + count - 1) / count }
    }

    private static func along(
        _ steps: [RateSchedule.Step],
        period: Duration
    ) throws(ExchangeError) -> [Int64] {
        // Whole milliseconds: work is bit-nanoseconds, so a step's is exact.
        let last = max(1, (period.wholeNanoseconds + 999_999) / 1_000_000)
        let each = opportunityBits * 1_000_000_000
        var instants: [Int64] = []
        var credit: Int64 = 0
        for (index, step) in steps.enumerated() {
            var now = step.from.wholeNanoseconds
            let end =
                index + 1 < steps.count
                ? steps[index + 1].from.wholeNanoseconds : period.wholeNanoseconds
            let rate = step.rate.bitsPerSecond
            guard rate > 0 else { continue }
            guard step.rate != .unlimited else {
                throw ExchangeError(
                    "an unlimited rate has no trace",
                    remedy: "name a rate for each step"
                )
            }
            while true {
                let wait = (each - credit + rate - 1) / rate
                guard now + wait <= end else {
                    credit += (end - now) * rate
                    break
                }
                now += wait
                credit += wait * rate - each
                instants.append(min(last, (now + 999_999) / 1_000_000))
                guard instants.count <= mostLines else { throw tooLong(Int64(instants.count)) }
            }
        }
        // The last line is the period; at most one packet more than the rate carries.
        if instants.last != last { instants.append(last) }
        return instants
    }

    private static func tooLong(_ count: Int64) -> ExchangeError {
        ExchangeError(
            "the trace would have more than \(mostLines) lines (\(count) so far)",
            remedy: "lower the rate"
        )
    }
}
