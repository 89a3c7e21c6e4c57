import Quantities
import Trace

/// Traffic of another app, or the pushes that the phone gets: the radio is in use, without the app.
///
/// Part of the conditions: it goes on whatever the app does, and is what the app can ride on.
package struct OtherTraffic: Equatable, Sendable {
    /// Who pays for it, such as "mail"; unique in a profile.
    package var owner: String
    /// When; without a count it goes on to the end of the run.
    package var schedule: WorkloadSchedule
    /// From the first packet to the last.
    package var lasts: QuantityRange<Duration>
    /// Where the profile says so.
    package var location: SourceLocation

    /// Makes an entry.
    package init(
        owner: String,
        schedule: WorkloadSchedule,
        lasts: QuantityRange<Duration>,
        location: SourceLocation
    ) {
        self.owner = owner
        self.schedule = schedule
        self.lasts = lasts
        self.location = location
    }

    /// Owners in the energy ledger that are the phone itself: no app can have such a name.
    package static let reservedOwners: Set<String> = ["", "system", "idle", "base", "screen"]
}
