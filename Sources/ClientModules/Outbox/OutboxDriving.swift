import SQLiteStore

/// Takes promises to send, and keeps them while it runs.
///
/// `Outbox` is the implementation to use. The protocol is there so that the lab can put another
/// outbox, yours or a broken one, into the same app.
public protocol OutboxDriving: Sendable {
    /// Promises to send an intent; when it returns, the promise is durable.
    ///
    /// `writingLocally` writes the app's own rows in the same transaction. When it throws, nothing will be
    /// sent; `URLError` and `CancellationError` alone say that nobody knows.
    func enqueue(
        _ intent: OutboxIntent,
        writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws
    /// Sends until the task is cancelled. Call it once a launch, in a task of its own.
    func run() async
    /// Whether anything is left to send.
    func needsTime() async -> Bool
    /// Somebody has signed in: what waited for that is tried now.
    func signedIn() async
    /// What was given up: to be shown at each start, as a kill may have swallowed the event.
    func givenUp() async throws -> [OutboxDeadLetter]
}

extension OutboxDriving {
    /// An outbox that does not say needs no time.
    public func needsTime() async -> Bool { false }

    /// An outbox that knows nothing of accounts waits for its next attempt.
    public func signedIn() async {}

    /// An outbox that keeps none has none.
    public func givenUp() async throws -> [OutboxDeadLetter] { [] }

    /// Promises to send an intent that has no local row.
    public func enqueue(_ intent: OutboxIntent) async throws {
        try await enqueue(intent, writingLocally: nil)
    }
}
