import ClientModules
import Synchronization

/// Adds up what modules hold for long, for a debug screen or a log.
public final class LiveMemoryMeter: MemoryMeter {
    private let held = Mutex<[String: Int64]>([:])

    /// Makes a meter that shows nothing.
    public init() {}

    /// Declares that `holder` now holds `bytes` in all.
    public func declare(_ bytes: Int64, holder: String) {
        held.withLock { $0[holder] = bytes }
    }

    /// All that is declared, in bytes.
    public var total: Int64 { held.withLock { $0.values.reduce(0, +) } }

    /// What each holder declared, by name.
    public var byHolder: [(holder: String, bytes: Int64)] {
        held.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }
}
