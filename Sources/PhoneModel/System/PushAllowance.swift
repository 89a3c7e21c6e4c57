import Quantities

/// Pushes that may come through now: a bucket that fills with time.
package struct PushAllowance: Equatable, Sendable {
    private let policy: PushPolicy.Allowance
    private var spent = 0
    /// From when on the next one is earned back.
    private var since = SimulationInstant.zero

    /// A full bucket.
    package init(policy: PushPolicy.Allowance) {
        self.policy = policy
    }

    /// Whether one may come through now; counts it if so.
    package mutating func take(at instant: SimulationInstant) -> Bool {
        guard let refill = policy.refill else { return true }
        let earned = Int((instant - since).wholeNanoseconds / refill.wholeNanoseconds)
        spent = max(0, spent - earned)
        since = spent == 0 ? instant : since + refill * earned
        guard spent < policy.burst else { return false }
        spent += 1
        return true
    }
}
