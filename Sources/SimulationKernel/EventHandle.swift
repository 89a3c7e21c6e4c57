/// Names one scheduled event, so that it can be cancelled.
package struct EventHandle: Hashable, Sendable {
    let slot: Int
    /// The sequence number that the event was scheduled with; zero for one that is not armed yet.
    let sequence: UInt64

    /// Slot and sequence in one word.
    var ticket: UInt64 { sequence << 24 | UInt64(slot) }

    init(slot: Int, sequence: UInt64) {
        self.slot = slot
        self.sequence = sequence
    }

    /// Reads a ticket back.
    init(ticket: UInt64) {
        self.init(slot: Int(ticket & 0xFF_FFFF), sequence: ticket >> 24)
    }

    /// Names nothing; cancelling it does nothing.
    package static let none = EventHandle(slot: 0, sequence: 0)
}
