/// An intent as it is stored, with what became of it so far.
struct OutboxRow: Sendable {
    var sequence: Int64
    var intent: OutboxIntent
    /// Made at enqueue; the same in all attempts.
    var idempotencyKey: String
    var enqueued: StoredInstant
    /// When the first attempt began that the server may have acted on; nil before it.
    var firstSent: StoredInstant?
    /// Attempts that were begun.
    var attempts: Int
    /// Failures, for the backoff.
    var failures: Int
    /// Answers that count toward poison.
    var refusals: Int
    /// Whether an attempt may have taken effect.
    var mayHaveActed: Bool
    /// When what another process does with it is over, on the monotonic clock; nil if none has it.
    var theirs: Duration?
}

/// The first live intent of an entity, as a plan needs it.
///
/// SQLite gives the number of a row that is gone to a later one: only number and key together name an intent.
struct OutboxHead: Sendable {
    var sequence: Int64
    var idempotencyKey: String
    var enqueued: StoredInstant
    /// As in `OutboxRow`.
    var theirs: Duration?
}

/// What changes in a row when an attempt failed.
struct OutboxFailureRecord: Sendable {
    var sequence: Int64
    var idempotencyKey: String
    /// The attempt that failed, counted from one: of a later one it says nothing.
    var attempts: Int
    var failures: Int
    var refusals: Int
    var mayHaveActed: Bool
    /// When the next attempt may start, on the monotonic clock.
    var dueAt: Duration
    /// How long it waits until then: all that is known of it after the phone has booted again.
    var wait: Duration = .zero
    /// Before this nothing is sent at all; nil to leave that as it is.
    var pausedUntil: Duration?
}
