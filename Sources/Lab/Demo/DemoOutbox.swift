import ClientModules
import Foundation
import SQLiteStore

/// The outbox of `onebar demo`, as a team writes it in an afternoon, with the bug that every team ships.
///
/// One queue in SQLite, one request at a time, a retry after a pause. With `keyIsMadeAtSend` each
/// attempt carries a new idempotency key, so that a server which honours keys takes a retry for a
/// new message. Without it the code is right. It is for the demonstration and for nothing else.
package actor DemoOutbox: OutboxDriving {
    private struct Entry {
        var row: Int64
        var intent: OutboxIntent
        var key: String
    }

    private let environment: ClientEnvironment
    private let server: URL
    private let keyIsMadeAtSend: Bool
    private let connection: SQLiteConnection
    private let observer: @Sendable (OutboxEvent) -> Void
    private let wake = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Opens the queue of one launch.
    package init(launch: LaunchContext, keyIsMadeAtSend: Bool) throws {
        let configuration = launch.configuration.outboxConfiguration(for: launch.server)
        environment = launch.environment
        server = configuration.server
        observer = launch.outboxObserver
        self.keyIsMadeAtSend = keyIsMadeAtSend
        connection = try SQLiteConnection(
            path: launch.environment.directory + "/" + configuration.database,
            vfs: launch.environment.sqliteVFS
        )
        try connection.executeScript(
            """
            CREATE TABLE IF NOT EXISTS queue (id INTEGER PRIMARY KEY, identity TEXT, method TEXT,
                path TEXT, type TEXT, body BLOB, key TEXT)
            """
        )
    }

    /// Stores the message with a key made now, and the app's own row with it.
    package func enqueue(
        _ intent: OutboxIntent,
        writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws {
        try connection.transaction {
            try connection.execute(
                """
                INSERT INTO queue (identity, method, path, type, body, key)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                intent.identity,
                intent.method,
                intent.path,
                intent.contentType,
                [UInt8](intent.body),
                environment.random.identifier()
            )
            try writingLocally?(connection)
        }
        observer(.enqueued(identity: intent.identity))
        wake.continuation.yield()
    }

    /// Sends what is queued, the oldest first, until the process ends.
    package func run() async {
        wake.continuation.yield()
        for await _ in wake.stream {
            do {
                while let entry = try oldest() { try await deliver(entry) }
            } catch {
                return observer(.storageFailed(description: "\(error)"))
            }
        }
    }

    private func oldest() throws -> Entry? {
        try connection.statement(
            "SELECT id, identity, method, path, type, body, key FROM queue ORDER BY id LIMIT 1"
        ).first { row in
            Entry(
                row: row.integer(at: 0),
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

    private func deliver(_ entry: Entry) async throws {
        var attempt = 1
        while true {
            observer(.sending(identity: entry.intent.identity, attempt: attempt))
            let (status, asked) = await send(entry)
            // A refusal will not change; everything else is tried again.
            let isRefused = (400..<500).contains(status) && ![408, 409, 425, 429].contains(status)
            if (200..<300).contains(status) || isRefused {
                try connection.execute("DELETE FROM queue WHERE id = ?", entry.row)
                let identity = entry.intent.identity
                return isRefused
                    ? observer(.deadLettered(identity: identity, .refused(status: status)))
                    : observer(.acknowledged(identity: identity, status: status))
            }
            let pause = RetryPolicy().wait(
                beforeRetry: attempt,
                asked: asked,
                random: environment.random
            )
            try await environment.clock.sleep(for: pause)
            attempt += 1
        }
    }

    /// Makes one attempt; status 0 means that no answer came.
    private func send(_ entry: Entry) async -> (status: Int, asked: Duration?) {
        guard let url = URL(string: entry.intent.path, relativeTo: server) else {
            return (400, nil)
        }
        let key = keyIsMadeAtSend ? environment.random.identifier() : entry.key
        let request = HTTPRequest(
            method: entry.intent.method,
            url: url.absoluteURL,
            headers: [
                HTTPHeader("Content-Type", entry.intent.contentType),
                HTTPHeader("Idempotency-Key", "\"\(key)\""),
            ],
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

extension MessengerApp {
    /// The app of `onebar demo`: the demonstration's outbox, and the uploader that ships.
    package static func demonstration(keyIsMadeAtSend: Bool) -> AppFactory {
        { launch in
            MessengerApp(
                launch: launch,
                outbox: try DemoOutbox(launch: launch, keyIsMadeAtSend: keyIsMadeAtSend),
                uploader: try ChunkedUploader(
                    environment: launch.environment,
                    configuration: launch.configuration.uploadConfiguration(for: launch.server),
                    observer: launch.uploadObserver
                )
            )
        }
    }
}
