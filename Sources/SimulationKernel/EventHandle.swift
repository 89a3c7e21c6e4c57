/// Names one scheduled event, so that it can be cancelled.
package struct EventHandle: Hashable, Sendable {
    let slot: Int
    /// The sequence number that the event was scheduled with; zero for one that is not armed yet.
    let sequence: UInt64

    /// Names nothing; cancelling it does nothing.
    package static let none = EventHandle(slot: 0, sequence: 0)
}
