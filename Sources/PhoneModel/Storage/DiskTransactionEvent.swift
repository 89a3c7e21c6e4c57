/// Where a write transaction of a database stands: anchors for "the 7th outbox.commit, write 2".
///
/// A transaction counts when the database file or its WAL was written. The name is the file's
/// without folder and extension: "/data/outbox.sqlite" is "outbox". Ordinals and indices count
/// from 1. A transaction that is rolled back after its pages had spilled into the WAL cannot be
/// told from a commit here and counts as one.
package enum DiskTransactionEvent: Equatable, Sendable {
    /// The first write is about to be made.
    case began(database: String, ordinal: Int)
    /// A write is about to be made; a kill from within this call comes before it.
    case writing(database: String, ordinal: Int, index: Int)
    /// The write lock was given back.
    case ended(database: String, ordinal: Int, committed: Bool)
    /// The writing process died in it.
    case cut(database: String, ordinal: Int)
}
