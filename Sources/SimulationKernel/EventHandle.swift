/// Names one scheduled event, so that it can be cancelled.
package struct EventHandle: Hashable, Sendable {
    let sequence: UInt64

    /// Names nothing; cancelling it does nothing.
    package static let none = EventHandle(sequence: 0)
}
