import ClientModules
import Foundation
import Quantities
import SQLiteStore

/// An uploader as a team writes it in an afternoon: one file at a time, chunks of one size; right if it has no defect.
actor NaiveUploader: UploadDriving {
    private struct Job {
        var identity: String
        var file: String
        var size: Int64
        var key: String
        var url: URL?
        var offset: Int64
        /// What the server said last; the same as `offset` in an uploader that is right.
        var serverOffset: Int64
        /// Whether it is given up, and nobody is told.
        var isAbandoned = false
        /// Why it will never be there, which the person is told.
        var failure: UploadFailure?
        /// The file system's name of the file that was chosen: an editor saves another one.
        var inode: Int64
    }

    private let environment: ClientEnvironment
    private let endpoint: URL
    private let defects: TwinDefects
    private let observer: @Sendable (UploadEvent) -> Void
    private let connection: SQLiteConnection
    private let wake = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let chunk: Int64
    private var takenBack: Set<String> = []

    init(
        environment: ClientEnvironment,
        configuration: UploadConfiguration,
        defects: TwinDefects,
        observer: @escaping @Sendable (UploadEvent) -> Void
    ) throws {
        self.environment = environment
        self.endpoint = configuration.endpoint
        chunk = defects.contains(.oneChunk) ? 1 << 40 : configuration.chunk.lower.bytes
        self.defects = defects
        self.observer = observer
        connection = try SQLiteConnection(
            path: environment.directory + "/" + configuration.database,
            vfs: environment.sqliteVFS
        )
        try connection.executeScript(
            """
            CREATE TABLE IF NOT EXISTS job (identity TEXT PRIMARY KEY, file TEXT, size INTEGER,
                key TEXT, url TEXT, position INTEGER DEFAULT 0, done INTEGER DEFAULT 0,
                told INTEGER DEFAULT 0, running INTEGER DEFAULT 0, inode INTEGER DEFAULT 0)
            """
        )
    }

    func upload(_ source: UploadSource) async throws {
        guard let found = try environment.files.metadata(of: source.file) else {
            throw UploadFailure.sourceUnavailable
        }
        // One that failed is begun anew, when the person asks.
        let hasFailed = try connection.statement(
            "SELECT 1 FROM job WHERE identity = ? AND done = 2"
        ).first(source.identity) { _ in true }
        if hasFailed == true {
            try connection.execute("DELETE FROM job WHERE identity = ?", source.identity)
        }
        takenBack.remove(source.identity)
        try connection.execute(
            """
            INSERT OR IGNORE INTO job (identity, file, size, key, inode) VALUES (?, ?, ?, ?, ?)
            """,
            source.identity,
            source.file,
            found.size,
            environment.random.identifier(),
            Int64(bitPattern: found.identity)
        )
        wake.continuation.yield()
    }

    func cancel(_ identity: String) async throws {
        let url = try connection.statement("SELECT url FROM job WHERE identity = ?")
            .first(identity) { $0.optionalText(at: 0) }
        try connection.execute("DELETE FROM job WHERE identity = ?", identity)
        if !defects.contains(.cancelLeavesRetry) { takenBack.insert(identity) }
        if let url, let address = url.flatMap({ URL(string: $0) }) {
            _ = try? await send("DELETE", address, [])
        }
    }

    func needsTime() async -> Bool {
        let open = defects.contains(.failedCountsAsBusy) ? "done <> 1" : "done = 0"
        let found = try? connection.statement("SELECT 1 FROM job WHERE \(open)").first { _ in true }
        return found ?? false
    }

    func run() async {
        guard environment.process.isEmpty || defects.contains(.everyProcessSends) else { return }
        do {
            // An end that a kill swallowed is told now.
            for identity in try untold() { try tell(identity) }
            if defects.contains(.completeStartsAnew) {
                try connection.execute(
                    "UPDATE job SET url = NULL, position = 0, key = ? WHERE done = 0 AND position = size",
                    environment.random.identifier()
                )
            }
        } catch {
            return observer(.storageFailed(description: "\(error)"))
        }
        wake.continuation.yield()
        for await _ in wake.stream {
            do {
                while let job = try next() { try await finish(job) }
            } catch is CancellationError {
                return
            } catch {
                observer(.storageFailed(description: "\(error)"))
                try? await environment.clock.sleep(for: .seconds(2))
                wake.continuation.yield()
            }
        }
    }

    private var trustsItself: Bool {
        !defects.isDisjoint(with: [.offsetTrustedWithoutHEAD, .conflictIsFinal])
    }

    private func untold() throws -> [String] {
        try connection.statement("SELECT identity FROM job WHERE done = 1 AND told = 0")
            .all { $0.text(at: 0) }
    }

    private func tell(_ identity: String) throws {
        observer(.finished(identity: identity))
        try connection.execute("UPDATE job SET told = 1 WHERE identity = ?", identity)
    }

    private func next() throws -> Job? {
        try connection.statement(
            """
            SELECT identity, file, size, key, url, position, inode FROM job
            WHERE done = 0 AND running = 0 ORDER BY rowid LIMIT 1
            """
        ).first { row in
            Job(
                identity: row.text(at: 0),
                file: row.text(at: 1),
                size: row.integer(at: 2),
                key: row.text(at: 3),
                url: row.optionalText(at: 4).flatMap { URL(string: $0) },
                offset: row.integer(at: 5),
                serverOffset: row.integer(at: 5),
                inode: row.integer(at: 6)
            )
        }
    }

    private func finish(_ job: Job) async throws {
        var job = job
        if defects.contains(.runningNotResumed) {
            try connection.execute("UPDATE job SET running = 1 WHERE identity = ?", job.identity)
        }
        var failures = 0
        if defects.contains(.startsOverAfterRelaunch), let url = job.url {
            _ = try? await send("DELETE", url, [])
            (job.url, job.key, job.offset) = (nil, environment.random.identifier(), 0)
        }
        var isOffsetKnown = trustsItself
        while true {
            let before = job.offset
            let asked = await step(&job, &isOffsetKnown)
            if takenBack.contains(job.identity) { return }
            if let failure = job.failure {
                // Told first: a kill in between has it told again.
                observer(.failed(identity: job.identity, failure))
                try connection.execute(
                    "UPDATE job SET done = 2 WHERE identity = ?",
                    job.identity
                )
                return
            }
            if job.isAbandoned {
                try connection.execute(
                    "UPDATE job SET done = 1, told = 1 WHERE identity = ?",
                    job.identity
                )
                return
            }
            if let asked {
                failures = job.offset > before ? 1 : failures + 1
                let wait = RetryPolicy().wait(
                    beforeRetry: failures,
                    asked: asked,
                    random: environment.random
                )
                try await environment.clock.sleep(for: wait)
                continue
            }
            if defects.contains(.createdAgainAfterRelaunch) {
                try connection.execute(
                    "UPDATE job SET position = ? WHERE identity = ?",
                    job.offset,
                    job.identity
                )
            } else {
                try connection.execute(
                    "UPDATE job SET url = ?, position = ? WHERE identity = ?",
                    job.url?.absoluteString,
                    job.offset,
                    job.identity
                )
            }
            guard isOffsetKnown, job.offset == job.size else { continue }
            try connection.execute("UPDATE job SET done = 1 WHERE identity = ?", job.identity)
            return try tell(job.identity)
        }
    }

    /// Makes one request; returns nil when it brought the upload on, else what the server asked to wait.
    private func step(_ job: inout Job, _ isOffsetKnown: inout Bool) async -> Duration? {
        do {
            guard let url = job.url else {
                return try await create(&job, &isOffsetKnown)
            }
            guard isOffsetKnown else {
                let response = try await send("HEAD", url, [])
                guard let offset = response[header: "Upload-Offset"].flatMap({ Int64($0) }) else {
                    if defects.contains(.createsAnewOnConflict),
                        [409, 423].contains(response.status)
                    {
                        (job.url, job.key) = (nil, environment.random.identifier())
                    }
                    return try wait(response)
                }
                if defects.contains(.offsetNeverFalls) {
                    job.offset = max(job.offset, offset)
                } else if !defects.contains(.sourceNotAdvanced) {
                    job.offset = offset
                }
                (job.serverOffset, isOffsetKnown) = (offset, true)
                return nil
            }
            return try await append(&job, to: url, &isOffsetKnown)
        } catch {
            if !trustsItself { isOffsetKnown = false }
            if defects.contains(.createsAnewAfterBrokenPipe), job.url != nil {
                (job.url, job.key) = (nil, environment.random.identifier())
            }
            if defects.contains(.movesOnAfterBrokenPipe), job.url != nil {
                job.offset = min(job.size, job.offset + chunk)
                (job.serverOffset, isOffsetKnown) = (job.offset, true)
            }
            return .zero
        }
    }

    private func create(_ job: inout Job, _ isOffsetKnown: inout Bool) async throws -> Duration? {
        // A key that dies with the process is no better than none.
        let isKeyNew = !defects.isDisjoint(with: [
            .createdAgainAfterRelaunch, .creationKeyNotStored,
        ])
        let key = isKeyNew ? environment.random.identifier() : job.key
        let name = Data(job.identity.utf8).base64EncodedString()
        let response = try await send(
            "POST",
            endpoint,
            [
                HTTPHeader("Upload-Length", "\(job.size)"),
                HTTPHeader("Upload-Metadata", "filename \(name)"),
                HTTPHeader("Idempotency-Key", "\"\(key)\""),
            ]
        )
        guard response.status == 201, let location = response[header: "Location"] else {
            if [400, 403, 413, 415, 422].contains(response.status) {
                job.failure = .rejected(status: response.status)
            }
            return try wait(response)
        }
        job.url = URL(string: location, relativeTo: endpoint)?.absoluteURL
        if !defects.contains(.newSessionAtOldOffset) { job.offset = 0 }
        job.serverOffset = job.offset
        observer(.created(identity: job.identity))
        return nil
    }

    private func append(
        _ job: inout Job,
        to url: URL,
        _ isOffsetKnown: inout Bool
    ) async throws -> Duration? {
        let start = defects.contains(.fixedRanges) ? job.offset / chunk * chunk : job.offset
        let end = min(job.size, start + chunk)
        // With the mistake as much is read as the server wants, but from elsewhere.
        let range =
            defects.contains(.sourceNotAdvanced)
            ? start..<min(job.size, start + min(chunk, job.size - job.serverOffset)) : start..<end
        guard !range.isEmpty else { return job.offset == job.size ? nil : .zero }
        let found = try environment.files.metadata(of: job.file)
        if found == nil, !defects.contains(.missingFileWaitedFor) {
            job.failure = .sourceUnavailable
            return .zero
        }
        if let found, Int64(bitPattern: found.identity) != job.inode,
            !defects.contains(.changeNotSeen)
        {
            job.failure = .sourceChanged
            return .zero
        }
        let (identity, size) = (job.identity, job.size)
        let offsetToSay = defects.contains(.sourceNotAdvanced) ? job.serverOffset : range.lowerBound
        let observer = observer
        let showsSocket = defects.contains(.progressFromSocketBytes)
        let response = try await send(
            "PATCH",
            url,
            [
                HTTPHeader("Upload-Offset", "\(offsetToSay)"),
                HTTPHeader("Content-Type", "application/offset+octet-stream"),
            ],
            body: .file(path: job.file, range: range)
        ) { sent in
            guard showsSocket else { return }
            observer(
                .progress(identity: identity, committed: range.lowerBound + sent, total: size)
            )
        }
        guard response.status == 204,
            let offset = response[header: "Upload-Offset"].flatMap({ Int64($0) })
        else {
            if !trustsItself { isOffsetKnown = false }
            if response.status == 409, defects.contains(.conflictIsFinal) {
                job.isAbandoned = true
            }
            let startsAnew =
                defects.contains(.createsAnewOnConflict) && [409, 423].contains(response.status)
                || defects.contains(.newSessionAtOldOffset) && response.status >= 500
            if startsAnew { (job.url, job.key) = (nil, environment.random.identifier()) }
            return try wait(response)
        }
        job.offset = defects.contains(.sourceNotAdvanced) ? range.upperBound : offset
        job.serverOffset = offset
        if !showsSocket {
            observer(.progress(identity: identity, committed: offset, total: size))
        }
        return nil
    }

    private func wait(_ response: HTTPResponse) throws -> Duration {
        RetryAfter.wait(askedBy: response, wallTime: environment.clock.wallTime) ?? .zero
    }

    private func send(
        _ method: String,
        _ url: URL,
        _ headers: [HTTPHeader],
        body: HTTPRequestBody = .none,
        progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws -> HTTPResponse {
        let request = HTTPRequest(
            method: method,
            url: url,
            headers: [HTTPHeader("Tus-Resumable", "1.0.0")] + headers,
            idleTimeout: .seconds(30),
            purpose: "upload"
        )
        return try await environment.transport.send(request, body: body, progress: progress)
    }
}
