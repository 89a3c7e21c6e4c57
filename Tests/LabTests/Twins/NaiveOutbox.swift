import ClientModules
import Foundation
import SQLiteStore

/// An outbox as a team writes it in an afternoon: one queue, one request at a time.
///
/// Without a defect it is right under any one fault but `database.busy`. A wait that a server asked for dies
/// with the process: a Retry-After and a kill together are more than it was written for.
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
    private var keysOfLaunch: [String: String] = [:]
    private var crossedOut: Set<Int64> = []
    private var tokens = 3
    private var isFlushing = false
    private var isStopped = false

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
            path: environment.directory + (defects.contains(.queueInCaches) ? "/images/" : "/")
                + configuration.database,
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

    private var everyProcessSends: Bool {
        !defects.isDisjoint(with: [.everyProcessSends, .keyNamesProcess])
    }

    private var isSavedLater: Bool {
        !defects.isDisjoint(with: [.outboxRowAfterLocalRow, .savedAfterDelay])
    }

    func enqueue(
        _ intent: OutboxIntent,
        writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws {
        if !defects.isDisjoint(with: [.unansweredThrownAsFailed, .unansweredThrownAsIs]) {
            return try await sendNow(intent, writingLocally)
        }
        do {
            try connection.transaction {
                try connection.execute("INSERT INTO message VALUES (?)", intent.identity)
                try writingLocally?(connection)
                if !isSavedLater { try save(intent) }
            }
        } catch  where defects.contains(.fullDiskSwallowed) {
            return
        }
        // The person sees the message now; with the defect the queue hears of it a moment later.
        if isSavedLater { unsaved.append(intent) }
        observer(.enqueued(identity: intent.identity))
        wake.continuation.yield()
    }

    func run() async {
        guard environment.process.isEmpty || everyProcessSends else { return }
        do {
            if defects.contains(.cleanupInDeferReliedUpon), try isBusy() { return }
            if defects.contains(.startedOfflineNeverSyncs),
                !environment.path.current.isSatisfied
            {
                return
            }
            if defects.contains(.inFlightGoesToTheBack) { try putInFlightToTheBack() }
            if !defects.contains(.inFlightNotReset) {
                try connection.execute("UPDATE queue SET in_flight = 0 WHERE in_flight > 0")
            }
        } catch {
            return observer(.storageFailed(description: "\(error)"))
        }
        wake.continuation.yield()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.drain() }
            if defects.contains(.retriesOnPathChangeOnly) {
                group.addTask { await self.wakeOnPathChange() }
            }
            if defects.contains(.savedAfterDelay) { group.addTask { await self.saveOnTimer() } }
            if defects.contains(.storeBehindMemory) {
                group.addTask { await self.crossOutOnLeaving() }
            }
            if defects.contains(.flushesOverlap) { group.addTask { await self.flushOnTimer() } }
        }
    }

    /// Sends before it stores anything: nothing is left of it when it throws.
    private func sendNow(
        _ intent: OutboxIntent,
        _ writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws {
        let request = HTTPRequest(
            method: intent.method,
            url: server.appending(path: intent.path),
            headers: [
                HTTPHeader("Content-Type", intent.contentType),
                HTTPHeader("Idempotency-Key", "\"\(environment.random.identifier())\""),
            ],
            purpose: "outbox"
        )
        do {
            let response = try await environment.transport.send(
                request,
                body: .data(intent.body),
                progress: nil
            )
            guard response.status < 300 else { throw URLError(.badServerResponse) }
        } catch  where defects.contains(.unansweredThrownAsFailed) {
            throw NotSent()
        }
        observer(.acknowledged(identity: intent.identity, status: 201))
    }

    private func drain() async {
        for await _ in wake.stream {
            guard await flush() else { return }
        }
    }

    /// Sends what is there; false when nothing will be sent any more.
    private func flush() async -> Bool {
        do {
            if !defects.contains(.savedAfterDelay) { try saveUnsaved() }
            if defects.contains(.lockLeakedOffline) {
                guard !isFlushing else { return true }
                isFlushing = true
                guard environment.path.current.isSatisfied else { return true }
            }
            while let entry = try next(), try await deliver(entry) {}
            isFlushing = false
            return !isStopped
        } catch is CancellationError {
            return false
        } catch {
            observer(.storageFailed(description: "\(error)"))
            try? await environment.clock.sleep(for: .seconds(2))
            wake.continuation.yield()
            return !Task.isCancelled
        }
    }

    private func saveUnsaved() throws {
        while let intent = unsaved.first {
            try save(intent)
            unsaved.removeFirst()
        }
    }

    private func saveOnTimer() async {
        while (try? await environment.clock.sleep(for: .seconds(2))) != nil {
            guard !unsaved.isEmpty else { continue }
            try? saveUnsaved()
            wake.continuation.yield()
        }
    }

    private func putInFlightToTheBack() throws {
        for entry in try entries("WHERE in_flight > 0 ORDER BY sequence") {
            try connection.execute(
                "UPDATE queue SET sequence = (SELECT max(sequence) + 1 FROM queue) WHERE sequence = ?",
                entry.sequence
            )
        }
    }

    private func crossOutOnLeaving() async {
        for await phase in environment.signals.phases() where phase == .background {
            for sequence in crossedOut.sorted() {
                try? connection.execute("DELETE FROM queue WHERE sequence = ?", sequence)
            }
        }
    }

    private func wakeOnPathChange() async {
        for await _ in environment.path.changes() { wake.continuation.yield() }
    }

    /// Sends every entry, whether or not somebody is about it.
    private func flushOnTimer() async {
        await withDiscardingTaskGroup { group in
            while (try? await environment.clock.sleep(for: .seconds(10))) != nil {
                for entry in (try? entries("ORDER BY sequence")) ?? [] {
                    group.addTask { _ = try? await self.deliver(entry) }
                }
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
        try entries("WHERE in_flight = 0 ORDER BY sequence LIMIT 1").first
    }

    /// What the table holds, chosen and put in order by the end of a query.
    private func entries(_ choice: String) throws -> [Entry] {
        try connection.statement(
            """
            SELECT sequence, identity, method, path, type, body, key FROM queue \(choice)
            """
        ).all { row in
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
        try claim(entry, 1)
        let isTakenOut = defects.contains(.deletedBeforeSend)
        if isTakenOut { try remove(entry) }
        let setsFlag = defects.contains(.cleanupInDeferReliedUpon)
        if setsFlag { try connection.execute("INSERT OR IGNORE INTO flag VALUES ('busy')") }
        defer { if setsFlag { try? connection.execute("DELETE FROM flag") } }
        var failures = 0
        while true {
            observer(.sending(identity: entry.intent.identity, attempt: failures + 1))
            let opens = defects.contains(.sendsInTransaction)
            if opens { try connection.executeScript("BEGIN") }
            if opens { _ = try next() }
            let (status, asked) = await send(entry)
            if opens { try connection.executeScript("COMMIT") }
            let isAnySuccess = defects.contains(.anyAnswerIsSuccess) && status > 0
            if (200..<300).contains(status) || isAnySuccess {
                try remove(entry)
                observer(.acknowledged(identity: entry.intent.identity, status: status))
                return true
            }
            let isRefusal = (400..<500).contains(status) && ![408, 409, 425, 429].contains(status)
            if isRefusal, defects.contains(.refusalTriedAtOnce) {
                failures += 1
                continue
            }
            if isRefusal, !defects.contains(.poisonBlocksQueue) {
                try remove(entry)
                if defects.contains(.refusalNotTold) { return true }
                observer(
                    .deadLettered(
                        identity: entry.intent.identity,
                        .refused(status: status),
                        mayHaveTakenEffect: failures > 0
                    )
                )
                return true
            }
            // What the server asks for is kept to, whatever else is wrong.
            if let asked, waitsForOthers { try await environment.clock.sleep(for: asked) }
            if let goesOn = try postponed(entry, status: status) { return goesOn }
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

    private var waitsForOthers: Bool {
        !defects.isDisjoint(with: [.failureWaitsForNextWrite, .retriesOnPathChangeOnly])
    }

    private func claim(_ entry: Entry, _ state: Int64) throws {
        try connection.execute(
            "UPDATE queue SET in_flight = ? WHERE sequence = ?",
            state,
            entry.sequence
        )
    }

    private func remove(_ entry: Entry) throws {
        if defects.contains(.storeBehindMemory) {
            crossedOut.insert(entry.sequence)
            return
        }
        try connection.execute("DELETE FROM queue WHERE sequence = ?", entry.sequence)
    }

    /// What the defects do with an entry that failed: put it off; nil for nothing.
    private func postponed(_ entry: Entry, status: Int) throws -> Bool? {
        if defects.contains(.puttingBackBeginsRound) {
            try claim(entry, 0)
            return true
        }
        if status == 0, defects.contains(.droppedOnFailure) {
            try remove(entry)
            return true
        }
        if status == 0, !defects.isDisjoint(with: [.unansweredToldFailed, .unansweredToldUnknown]) {
            try remove(entry)
            observer(
                .deadLettered(
                    identity: entry.intent.identity,
                    .poison(status: 0),
                    mayHaveTakenEffect: defects.contains(.unansweredToldUnknown)
                )
            )
            return true
        }
        if status == 0, defects.contains(.offlineFailureNotRequeued),
            !environment.path.current.isSatisfied
        {
            return true
        }
        if defects.contains(.storedForNextLaunchOnly) {
            try claim(entry, 2)
            return true
        }
        if defects.contains(.stopsAtFirstError) {
            isStopped = true
            return false
        }
        if defects.contains(.budgetNeverRefilled) {
            tokens -= 1
            isStopped = tokens < 0
            if isStopped { return false }
        }
        if defects.contains(.failedGoesToTheBack) {
            try remove(entry)
            try save(entry.intent)
            return true
        }
        if waitsForOthers {
            try claim(entry, 0)
            return false
        }
        return nil
    }

    /// Makes one attempt; status 0 means that none came back.
    private func send(_ entry: Entry) async -> (status: Int, asked: Duration?) {
        guard let url = URL(string: entry.intent.path, relativeTo: server) else {
            return (400, nil)
        }
        let key = key(of: entry)
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

    private func key(of entry: Entry) -> String {
        if defects.contains(.keyNamesProcess) { return "\(environment.process)/\(entry.key)" }
        if defects.contains(.keyMadeAtSend) { return environment.random.identifier() }
        guard !defects.isDisjoint(with: [.keyMadeAtLaunch, .storeBehindMemory]) else {
            return entry.key
        }
        if let known = keysOfLaunch[entry.intent.identity] { return known }
        let made = environment.random.identifier()
        keysOfLaunch[entry.intent.identity] = made
        return made
    }
}

/// "Your message was not sent. Try again?"
private struct NotSent: Error {}
