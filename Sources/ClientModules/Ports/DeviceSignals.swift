/// What the app is to the system.
public enum AppPhase: Sendable, Equatable {
    /// On the screen.
    case foreground
    /// Running out of sight.
    case background
}

/// How short of memory the app is.
public enum MemoryPressureLevel: Int, Sendable, Comparable {
    /// Nothing to do.
    case normal
    /// Let go of what can be had again.
    case warning
    /// Let go of all that is not on the screen; death is near.
    case critical

    /// Orders levels by need.
    public static func < (left: MemoryPressureLevel, right: MemoryPressureLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Lifecycle and memory pressure, as streams; every call makes a stream of its own.
public protocol DeviceSignals: Sendable {
    /// The phase now, then each change.
    func phases() -> AsyncStream<AppPhase>
    /// Each change of the memory pressure.
    func memoryPressure() -> AsyncStream<MemoryPressureLevel>
}
