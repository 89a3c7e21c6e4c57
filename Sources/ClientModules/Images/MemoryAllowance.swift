import Quantities

/// How much a cache may keep in memory, and for whom: a ladder from plenty to nothing.
///
/// 1. Nothing is wrong: the whole limit.
/// 2. A warning: half of it, and nothing new for whoever is not looking.
/// 3. Critical: nothing at all; what is on the screen is held by the screen.
/// 4. Out of sight: a tenth, as Nuke does, and nothing new for whoever is not looking.
///
/// After a warning the ladder is climbed again only when there was none for `rest`: a cache that
/// fills up at once brings the next warning, or the end, by itself.
struct MemoryAllowance: Sendable, Equatable {
    let limit: ByteCount
    let rest: Duration
    private var level = MemoryPressureLevel.normal
    private var phase = AppPhase.foreground
    private var pressedUntil: Duration?

    init(limit: ByteCount, rest: Duration) {
        self.limit = limit
        self.rest = rest
    }

    mutating func pressureChanged(to level: MemoryPressureLevel, at now: Duration) {
        if self.level != .normal, level == .normal { pressedUntil = now + rest }
        self.level = level
    }

    mutating func phaseChanged(to phase: AppPhase) {
        self.phase = phase
    }

    /// What may be kept at `now`.
    func bytes(at now: Duration) -> ByteCount {
        if level == .critical { return .zero }
        if phase == .background { return ByteCount(limit.bytes / 10) }
        return isPressed(at: now) ? ByteCount(limit.bytes / 2) : limit
    }

    /// Whether what nobody looks at may be decoded.
    func decodesAhead(at now: Duration) -> Bool {
        phase == .foreground && !isPressed(at: now)
    }

    private func isPressed(at now: Duration) -> Bool {
        level != .normal || pressedUntil.map { now < $0 } ?? false
    }
}
