import Quantities

/// Admits so many requests a second: a bucket of tokens in integers (GCRA, ITU-T I.371).
struct AdmissionBucket {
    private let interval: Int64
    private let tolerance: Int64
    private var theoretical: Int64 = .min

    /// A full bucket that holds a tenth of a second's worth of `perSecond`, at least one.
    init(perSecond: Int) {
        precondition(perSecond > 0, "a capacity of \(perSecond) requests/s serves nobody")
        interval = (1_000_000_000 + Int64(perSecond) - 1) / Int64(perSecond)
        tolerance = Int64(max(1, perSecond / 10) - 1) * interval
    }

    /// Takes a token; false when there is none.
    mutating func admit(at now: SimulationInstant) -> Bool {
        let due = max(theoretical, now.nanoseconds)
        guard due - now.nanoseconds <= tolerance else { return false }
        theoretical = due + interval
        return true
    }
}
