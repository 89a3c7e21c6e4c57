import Quantities

/// Locks on databases, as the lab asks about them and holds them.
extension SimulatedDisk {
    /// Another process holds the write lock of a database until `end`; false when it is not there.
    ///
    /// Who asks for it waits by its own local time, as for a lock that is given back later. `process`
    /// tells holders apart; take one that no client has.
    package func holdWriteLock(
        of path: String,
        by process: Int,
        until end: SimulationInstant
    ) -> Bool {
        guard let inode = names[path] else { return false }
        precondition(
            !hasHotJournal(path),
            "whoever locks \(path) would roll its journal back first"
        )
        for kind in [LockReleases.Kind.slot(0, exclusive: true), .reserved] {
            inode.releases.record(
                kind,
                by: process,
                at: end.nanoseconds,
                now: now().nanoseconds
            )
        }
        return true
    }

    /// Whether a transaction that was cut short, or goes on, has a rollback journal beside a database.
    ///
    /// As SQLite asks it (sqlite.org/lockingv3.html, 4.0): a file of that name that does not begin with a zero.
    package func hasHotJournal(_ path: String) -> Bool {
        guard let journal = names[path + "-journal"] else { return false }
        var first: UInt8 = 0
        return withUnsafeMutableBytes(of: &first) { journal.cached.read(into: $0, at: 0) } > 0
            && first != 0
    }

    /// Locks that a process holds, by path: whoever holds one while suspending is killed on iOS.
    package func locks(of client: DiskClient) -> [DiskLockHold] {
        client.handles.map { $0.takeUnretainedValue() }
            .filter { $0.level > .none || $0.sharedSlots | $0.exclusiveSlots != 0 }
            .map {
                DiskLockHold(
                    path: $0.path,
                    level: $0.level,
                    sharedMemorySlots: $0.sharedSlots | $0.exclusiveSlots,
                    usesSharedMemory: $0.regions != nil
                )
            }
            .sorted { ($0.path, $0.level) < ($1.path, $1.level) }
    }
}
