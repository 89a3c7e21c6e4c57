import Quantities

/// One process as the disk sees it: one launch, with its local time and its death.
///
/// The owner of processes makes one for each launch. Closures are called from within disk calls.
package final class DiskClient {
    /// Tells processes apart; never used again on the same disk.
    package let id: Int
    /// The process's local time: the world's plus its lag.
    package let stamp: () -> SimulationInstant
    /// Asked before each effect; false means that the process dies here and nothing is done.
    ///
    /// The closure may call `SimulatedDisk.processDied` itself.
    package let effect: (DiskEffect, String) -> Bool
    /// Told how long a call kept the process waiting: its lag.
    package let charge: (Duration) -> Void
    /// Whether the process is dead; every call then fails with `fenced`.
    package internal(set) var isFenced = false

    /// When the disk refused it something, by its own time: no room, a locked device, another's lock.
    ///
    /// Refusals less than a second apart are one span: SQLite asks again for a lock every few milliseconds.
    package private(set) var refusals: [ClosedRange<SimulationInstant>] = []

    /// Files it has open; a handle takes itself out.
    var handles: [Unmanaged<DiskHandle>] = []

    /// The latest of its operations that another process has seen, and that a kill cannot undo.
    var observedThrough: Int64 = .min
    /// The local time that it has to reach for what it has read, before it acts on it.
    var owedUntil: Int64 = .min

    /// The disk refuses it something now.
    func wasRefused() {
        let now = stamp()
        if let last = refusals.last, now <= last.upperBound + .seconds(1) {
            refusals[refusals.count - 1] = last.lowerBound...max(last.upperBound, now)
        } else {
            refusals.append(now...now)
        }
    }

    /// Makes a client.
    package init(
        id: Int,
        stamp: @escaping () -> SimulationInstant,
        effect: @escaping (DiskEffect, String) -> Bool = { _, _ in true },
        charge: @escaping (Duration) -> Void = { _ in }
    ) {
        self.id = id
        self.stamp = stamp
        self.effect = effect
        self.charge = charge
    }
}
