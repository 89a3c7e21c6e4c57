/// Names one scheduled event, so that it can be cancelled.
package struct EventHandle: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32

    /// Names nothing; cancelling it does nothing.
    package static let none = EventHandle(slot: 0, generation: 0)
}
