/// Mistakes that real teams shipped, to be put into an outbox or an uploader that is right without them.
///
/// The lab has to catch every single one; with none of them it must find nothing.
struct TwinDefects: OptionSet, Sendable {
    let rawValue: Int

    /// Outbox: a new idempotency key with each attempt, so a lost acknowledgement doubles the effect.
    static let keyMadeAtSend = Self(rawValue: 1 << 0)
    /// Outbox: what was in flight when the process died is taken for sent by somebody.
    static let inFlightNotReset = Self(rawValue: 1 << 1)
    /// Outbox: the local row is committed and shown first, the outbox row follows in a transaction
    /// of its own.
    static let outboxRowAfterLocalRow = Self(rawValue: 1 << 2)
    /// Outbox: an intent that the server refuses for good is tried for ever, the others wait.
    static let poisonBlocksQueue = Self(rawValue: 1 << 3)
    /// Outbox: after a 503 the next attempt follows at once.
    static let noBackoffAfter503 = Self(rawValue: 1 << 4)
    /// Outbox: a stored "busy" flag that `defer` clears, and that a launch believes.
    static let cleanupInDeferReliedUpon = Self(rawValue: 1 << 5)
    /// Uploader: goes on from its own idea of the offset and never asks.
    static let offsetTrustedWithoutHEAD = Self(rawValue: 1 << 6)
    /// Uploader: the server's address of the upload is kept in memory alone.
    static let createdAgainAfterRelaunch = Self(rawValue: 1 << 7)
    /// Uploader: shows what the socket took.
    static let progressFromSocketBytes = Self(rawValue: 1 << 8)
}
