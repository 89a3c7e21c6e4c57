/// Where a module declares the memory it holds for long, so that someone can add it up.
public protocol MemoryMeter: Sendable {
    /// Declares that `holder` now holds `bytes` in all; replaces what it declared before.
    func declare(_ bytes: Int64, holder: String)
}
