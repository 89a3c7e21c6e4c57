import SQLiteStore

/// A `SharedServerPause` that outlives the process: a relaunched app does not ask too early either.
///
/// ```swift
/// let stored = try StoredServerPause(environment: environment)
/// Task { await stored.run() }                       // once a launch; cancel to stop
/// let retrier = Retrier(environment: environment, pause: stored.pause)
/// ```
///
/// What the server asked is committed with a sync as soon as it is heard, and taken away when its time is
/// over. After a boot nobody knows how much of it has passed, as the wall clock may have jumped: it begins
/// anew, whole. The database comes into being with the first Retry-After: where a server asks for none, a
/// launch looks for a file and does nothing else.
///
/// A process learns at its start alone what another one was asked; what that has stored it leaves there. Give each
/// server a database of its own.
public actor StoredServerPause {
    /// What calls to the server share.
    public nonisolated let pause = SharedServerPause()

    private let environment: ClientEnvironment
    private let database: String
    private let retry: RetryPolicy
    private let onStorageFailure: (@Sendable (_ description: String) -> Void)?
    private var store: ServerPauseStore?
    private var stored: Duration?
    private var isRunning = false

    /// Reads what an earlier process left.
    ///
    /// Blocks for as long as the storage takes. Throws the storage's error, such as on a locked device.
    /// `retry` has the waits between attempts to store; `onStorageFailure` hears of each that failed.
    public init(
        environment: ClientEnvironment,
        database: String = "pause.sqlite",
        retry: RetryPolicy = RetryPolicy(),
        onStorageFailure: (@Sendable (_ description: String) -> Void)? = nil
    ) throws {
        self.environment = environment
        self.database = database
        self.retry = retry
        self.onStorageFailure = onStorageFailure
        guard try environment.files.exists(environment.directory + "/" + database) else { return }
        let store = try ServerPauseStore(environment, database)
        self.store = store
        guard let row = try store.row() else { return }
        let clock = environment.clock
        let until = row.boot == clock.bootIdentifier ? row.until : clock.now + row.length
        stored = row.until
        pause.extend(until: until, status: row.status)
    }

    /// Stores what is asked, until the task is cancelled; a second call while one runs returns at once.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        let clock = environment.clock
        while !Task.isCancelled {
            let until = pause.until
            let isOver = until <= clock.now
            let wanted = isOver ? nil : until
            if wanted != stored {
                let length = until - clock.now
                let status = pause.status
                let isStored = await durably { store in
                    guard let wanted else { return try stored.map(store.clear) ?? () }
                    try store.put(
                        ServerPauseStore.Row(
                            until: wanted,
                            length: length,
                            status: status,
                            boot: clock.bootIdentifier
                        )
                    )
                }
                guard isStored else { return }
                stored = wanted
                // What was asked meanwhile has raised the signal.
            }
            await pause.changed.wait(until: wanted, clock: clock)
        }
    }

    private func durably(_ change: (ServerPauseStore) throws -> Void) async -> Bool {
        let report = { [onStorageFailure] (text: String) in onStorageFailure?(text) ?? () }
        return await StorageRetry(environment, retry).untilDone(report: report) {
            let store = try self.store ?? ServerPauseStore(environment, database)
            self.store = store
            try store.connection.transaction { try change(store) }
            let held = store.connection.memoryUse.totalBytes
            environment.memory.declare(Int64(held), holder: "pause.database")
        }
    }
}
