/// A change that would have saved energy in one seed, found by running the radio's ledger again.
package struct EnergyAdvice: Codable, Sendable, Equatable {
    /// What to change.
    package var message: String
    /// What it would have saved, in nanojoules.
    package var savedNanojoules: Int64

    /// Makes an entry.
    package init(message: String, savedNanojoules: Int64) {
        self.message = message
        self.savedNanojoules = savedNanojoules
    }
}
