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
}

/// What changes in a row when an attempt failed.
struct OutboxFailureRecord: Sendable {
    var sequence: Int64
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
