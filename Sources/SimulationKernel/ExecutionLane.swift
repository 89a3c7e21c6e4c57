/// The two threads that a simulated process has.
package enum ExecutionLane: UInt8, Codable, Sendable, CaseIterable {
    /// The main thread: jobs of the main actor.
    case main = 0
    /// Everything else, on one core.
    case background = 1
}

extension ExecutionLane: CustomStringConvertible {
    /// `main` or `background`.
    package var description: String { self == .main ? "main" : "background" }
}
