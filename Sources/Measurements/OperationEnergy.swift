import Quantities

/// What one owner drew in one seed, with the tails of its wake-ups apart.
package struct OperationEnergy: Codable, Sendable, Equatable {
    /// Who, such as "outbox" or "POST /messages".
    package var owner: String
    /// Promotion and active states of the radio, in nanojoules.
    package var activeNanojoules: Int64
    /// Tail states of the radio, in nanojoules.
    package var tailNanojoules: Int64
    /// Processor, flash and screen, in nanojoules.
    package var otherNanojoules: Int64

    /// Makes an entry.
    package init(
        owner: String,
        activeNanojoules: Int64 = 0,
        tailNanojoules: Int64 = 0,
        otherNanojoules: Int64 = 0
    ) {
        self.owner = owner
        self.activeNanojoules = activeNanojoules
        self.tailNanojoules = tailNanojoules
        self.otherNanojoules = otherNanojoules
    }

    /// The sum.
    package var totalNanojoules: Int64 { activeNanojoules + tailNanojoules + otherNanojoules }
}
