import ClientModules
import Foundation
import SQLiteStore

/// An outbox as a team writes it in an afternoon: one queue, one request at a time; right if it has no defect.
actor NaiveOutbox: OutboxDriving {
    private struct Entry {
        var sequence: Int64
        var intent: OutboxIntent
        var key: String
    }

    private let environment: ClientEnvironment
    private let server: URL
    private let defects: TwinDefects
    private let observer: @Sendable (OutboxEvent) -> Void
    private let connection: SQLiteConnection
    private let wake = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private var unsaved: [OutboxIntent] = []

    init(
        environment: ClientEnvironment,
        configuration: OutboxConfiguration,
        defects: TwinDefects,
        observer: @escaping @Sendable (OutboxEvent) -> Void
    ) throws {
        self.environment = environment
        self.server = configuration.server
        self.defects = defects
        self.observer = observer
        connection = try SQLiteConnection(
            path: environment.directory + "/" + configuration.database,
            vfs: environment.sqliteVFS
        )
        try connection.executeScript(
            """
            BEGIN;
            CREATE TABLE IF NOT EXISTS message (identity TEXT PRIMARY KEY);
            CREATE TABLE IF NOT EXISTS queue (sequence INTEGER PRIMARY KEY, identity TEXT,
                method TEXT, path TEXT, type TEXT, body BLOB, key TEXT, in_flight INTEGER);
            CREATE TABLE IF NOT EXISTS flag (name TEXT PRIMARY KEY);
            COMMIT;
            """
        )
    }

    func enqueue(
        _ intent: OutboxIntent,
        writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws {
        do {
            try connection.transaction {
                try connection.execute("INSERT INTO message VALUES (?)", intent.identity)
                try writingLocally?(connection)
                if !defects.contains(.outboxRowAfterLocalRow) { try save(intent) }
            }
        } catch  where defects.contains(.fullDiskSwallowed) {
            return
        }
        // The person sees the message now; with the defect the queue hears of it a moment later.
        if defects.contains(.outboxRowAfterLocalRow) { unsaved.append(intent) }
        observer(.enqueued(identity: intent.identity))
        wake.continuation.yield()
    }

    func run() async {
        do {
            if defects.contains(.cleanupInDeferReliedUpon), try isBusy() { return }
            if defects.contains(.startedOfflineNeverSyncs),
                !environment.path.current.isSatisfied
            {
                return
            }
            if !defects.contains(.inFlightNotReset) {
                try connection.execute("UPDATE queue SET in_flight = 0 WHERE in_flight = 1")
            }
        } catch {
            return observer(.storageFailed(description: "\(error)"))
        }
        wake.continuation.yield()
        for await _ in wake.stream {
            do {
                for intent in unsaved { try save(intent) }
                unsaved = []
                while let entry = try next(), try await deliver(entry) {}
            } catch {
                return observer(.storageFailed(description: "\(error)"))
            }
        }
    }

    private func save(_ intent: OutboxIntent) throws {
        try connection.execute(
            """
            INSERT INTO queue (identity, method, path, type, body, key, in_flight)
            VALUES (?, ?, ?, ?, ?, ?, 0)
            """,
            intent.identity,
            intent.method,
            intent.path,
            intent.contentType,
            [UInt8](intent.body),
            environment.random.identifier()
        )
    }

    private func next() throws -> Entry? {
        try connection.statement(
            """
            SELECT sequence, identity, method, path, type, body, key FROM queue
            WHERE in_flight = 0 ORDER BY sequence LIMIT 1
            """
        ).first { row in
            Entry(
                sequence: row.integer(at: 0),
                intent: OutboxIntent(
                    identity: row.text(at: 1),
                    method: row.text(at: 2),
                    path: row.text(at: 3),
                    contentType: row.text(at: 4),
                    body: row.withBlob(at: 5) { Data($0) }
                ),
                key: row.text(at: 6)
            )
        }
    }

    private func isBusy() throws -> Bool {
        try connection.statement("SELECT 1 FROM flag WHERE name = 'busy'").first { _ in true }
            ?? false
    }

    /// Sends one until it is through: nobody else may overtake it.
    ///
    /// Returns whether the queue goes on with what is next.
    private func deliver(_ entry: Entry) async throws -> Bool {
        try connection.execute("UPDATE queue SET in_flight = 1 WHERE sequence = ?", entry.sequence)
        let isTakenOut = defects.contains(.deletedBeforeSend)
        if isTakenOut { try remove(entry) }
        let setsFlag = defects.contains(.cleanupInDeferReliedUpon)
        if setsFlag { try connection.execute("INSERT OR IGNORE INTO flag VALUES ('busy')") }
        defer { if setsFlag { try? connection.execute("DELETE FROM flag") } }
        var failures = 0
        while true {
            observer(.sending(identity: entry.intent.identity, attempt: failures + 1))
            let (status, asked) = await send(entry)
            let isAnySuccess = defects.contains(.anyAnswerIsSuccess) && status > 0
            if (200..<300).contains(status) || isAnySuccess {
                try remove(entry)
                observer(.acknowledged(identity: entry.intent.identity, status: status))
                return true
            }
            let isRefusal = (400..<500).contains(status) && ![408, 409, 425, 429].contains(status)
            if isRefusal, !defects.contains(.poisonBlocksQueue) {
                try remove(entry)
                if defects.contains(.refusalNotTold) { return true }
                observer(.deadLettered(identity: entry.intent.identity, .refused(status: status)))
                return true
            }
            if let goesOn = try postponed(entry) { return goesOn }
            failures += 1
            if status == 503, defects.contains(.noBackoffAfter503) { continue }
            let wait = RetryPolicy().wait(
                beforeRetry: failures,
                asked: defects.contains(.retryAfterIgnored) ? nil : asked,
                random: environment.random
            )
            try await environment.clock.sleep(for: wait)
        }
    }

    private func remove(_ entry: Entry) throws {
        try connection.execute("DELETE FROM queue WHERE sequence = ?", entry.sequence)
    }

    /// What the defects do with an entry that failed: put it off; nil for nothing.
    private func postponed(_ entry: Entry) throws -> Bool? {
        if defects.contains(.failedGoesToTheBack) {
            try remove(entry)
            try save(entry.intent)
            return true
        }
        if defects.contains(.failureWaitsForNextWrite) {
            try connection.execute(
                "UPDATE queue SET in_flight = 0 WHERE sequence = ?",
                entry.sequence
            )
            return false
        }
        return nil
    }

    /// Makes one attempt; status 0 means that none came back.
    private func send(_ entry: Entry) async -> (status: Int, asked: Duration?) {
        guard let url = URL(string: entry.intent.path, relativeTo: server) else {
            return (400, nil)
        }
        let key =
            defects.contains(.keyMadeAtSend) ? environment.random.identifier() : entry.key
        let request = HTTPRequest(
            method: entry.intent.method,
            url: url.absoluteURL,
            headers: [HTTPHeader("Content-Type", entry.intent.contentType)]
                + (defects.contains(.noKey)
                    ? [] : [HTTPHeader("Idempotency-Key", "\"\(key)\"")]),
            idleTimeout: .seconds(30),
            purpose: "outbox"
        )
        do {
            let response = try await environment.transport.send(
                request,
                body: .data(entry.intent.body),
                progress: nil
            )
            _ = try? await response.body()
            let asked = RetryAfter.wait(
                askedBy: response,
                wallTime: environment.clock.wallTime
            )
            return (response.status, asked)
        } catch {
            return (0, nil)
        }
    }
}
