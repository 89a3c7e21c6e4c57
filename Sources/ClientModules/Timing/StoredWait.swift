import SQLiteStore

/// A wait that an earlier launch left in a database.
struct StoredWait {
    let sequence: Int64
    /// Failures so far.
    let failures: Int
    /// When it ends, on the monotonic clock; nil if that is the clock of another boot, or if the
    /// launch ended in the middle of an attempt.
    let dueAt: Duration?
    /// How long it was; nil if the launch ended in the middle of an attempt.
    let length: Duration?

    /// Reads sequence, failures, instant and length, in this order.
    init(_ row: SQLiteRow) {
        sequence = row.integer(at: 0)
        failures = Int(row.integer(at: 1))
        dueAt = row.optionalInteger(at: 2).map { .nanoseconds($0) }
        length = row.optionalInteger(at: 3).map { .nanoseconds($0) }
    }

    /// Whether it began before the phone booted.
    var isOfEarlierBoot: Bool { dueAt == nil && length != nil }

    /// When it ends for the launch that begins at `now`, for which `fresh` is a wait of its own.
    ///
    /// After a boot nobody knows how much of the wait has passed: the wall clock may have jumped. So it
    /// begins anew, whole, for the server may have asked for it (RFC 9110, 10.2.3).
    func due(from now: Duration, fresh: @autoclosure () -> Duration) -> Duration {
        dueAt ?? now + max(length ?? .zero, fresh())
    }
}
