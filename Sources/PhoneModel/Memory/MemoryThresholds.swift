import Quantities
import Trace

/// From which share of its cap on an app is under memory pressure.
///
/// KSCrash reads footprint over limit as: below 25 % normal, below 50 % warn, below 75 % urgent,
/// below 95 % critical, else terminal. Here its "urgent" is a warning and its "critical" is critical;
/// that the app is told at these very shares, and the width of the way back, are assumptions.
package struct MemoryThresholds: Equatable, Sendable {
    /// At this share the app is warned.
    package var warning: Probability
    /// At this share death is near.
    package var critical: Probability
    /// How far below a threshold the share has to fall for the level to fall.
    package var margin: Probability

    /// Makes thresholds; traps unless warning comes before critical.
    package init(
        warning: Probability = .percent(50),
        critical: Probability = .percent(75),
        margin: Probability = .percent(5)
    ) {
        precondition(warning < critical, "an app is warned at \(warning), before \(critical)")
        self.warning = warning
        self.critical = critical
        self.margin = margin
    }

    /// The level at which an app stands that came from `previous`.
    func level(of total: ByteCount, cap: ByteCount, after previous: MemoryPressure)
        -> MemoryPressure
    {
        if reaches(critical, total, cap, keeping: previous == .critical) { return .critical }
        if reaches(warning, total, cap, keeping: previous != .normal) { return .warning }
        return .normal
    }

    /// total / cap >= share, less the margin for a level that is held already; exact.
    private func reaches(
        _ share: Probability,
        _ total: ByteCount,
        _ cap: ByteCount,
        keeping isHeld: Bool
    ) -> Bool {
        let cap = Int128(cap.bytes)
        let limit = cap * Int128(share.numerator) * Int128(margin.denominator)
        let allowance = cap * Int128(margin.numerator) * Int128(share.denominator)
        let scale = Int128(share.denominator) * Int128(margin.denominator)
        return Int128(total.bytes) * scale >= (isHeld ? limit - allowance : limit)
    }
}
