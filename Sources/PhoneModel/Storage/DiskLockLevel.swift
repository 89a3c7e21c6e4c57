/// A lock on a whole file, in rising order: the five levels that rollback journals need.
package enum DiskLockLevel: Int, Comparable, Sendable {
    case none
    case shared
    case reserved
    case pending
    case exclusive

    /// Orders levels by strength.
    package static func < (left: DiskLockLevel, right: DiskLockLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A lock that a process holds: what a phone that kills lock holders on suspension looks at.
package struct DiskLockHold: Equatable, Sendable {
    /// The file.
    package var path: String
    /// The lock on the file itself.
    package var level: DiskLockLevel
    /// Slots of the wal-index that are held, as bits.
    package var sharedMemorySlots: UInt8
    /// Whether the file is in WAL mode in this process; its idle connections keep `shared`.
    package var usesSharedMemory: Bool

    /// Whether a transaction is open, and not merely a connection.
    package var isTransaction: Bool {
        usesSharedMemory
            ? sharedMemorySlots != 0 || level >= .reserved
            : level >= .shared
    }
}

/// Locks that were given back at a local time that lies in the world's future.
///
/// A process whose call blocked is ahead of the world by its lag. To another process that is less
/// far ahead, a lock that the first one has held and given back is still held.
struct LockReleases {
    private var entries: [(client: Int, kind: Kind, stamp: Int64)] = []

    /// What was given back.
    enum Kind: Equatable {
        case shared
        case reserved
        case exclusive
        case slot(Int, exclusive: Bool)
    }

    /// Remembers a release that is still to come; forgets those that have come.
    mutating func record(_ kind: Kind, by client: Int, at stamp: Int64, now: Int64) {
        if !entries.isEmpty { entries.removeAll { $0.stamp <= now } }
        guard stamp > now else { return }
        entries.removeAll { $0.client == client && $0.kind == kind }
        entries.append((client, kind, stamp))
    }

    /// Whether somebody else still holds it at `stamp`.
    func blocks(_ kind: Kind, for client: Int, at stamp: Int64) -> Bool {
        guard !entries.isEmpty else { return false }
        return entries.contains { $0.client != client && $0.kind == kind && $0.stamp > stamp }
    }

    /// A dead process gave everything back when it died.
    mutating func forget(client: Int) {
        if !entries.isEmpty { entries.removeAll { $0.client == client } }
    }
}
