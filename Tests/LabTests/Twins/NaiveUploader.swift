import ClientModules
import Foundation
import SQLiteStore

/// An uploader as a team writes it in an afternoon: one file at a time, chunks of 512 KiB; right if it has no defect.
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
    }

    private let environment: ClientEnvironment
    private let endpoint: URL
    private let defects: TwinDefects
    private let observer: @Sendable (UploadEvent) -> Void
    private let connection: SQLiteConnection
    private let wake = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let chunk: Int64 = 512 << 10

    init(
        environment: ClientEnvironment,
        configuration: UploadConfiguration,
        defects: TwinDefects,
        observer: @escaping @Sendable (UploadEvent) -> Void
    ) throws {
        self.environment = environment
        self.endpoint = configuration.endpoint
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
                told INTEGER DEFAULT 0, running INTEGER DEFAULT 0)
            """
        )
    }

    func upload(_ source: UploadSource) async throws {
        guard let found = try environment.files.metadata(of: source.file) else {
            throw UploadFailure.sourceUnavailable
        }
        try connection.execute(
            "INSERT OR IGNORE INTO job (identity, file, size, key) VALUES (?, ?, ?, ?)",
            source.identity,
            source.file,
            found.size,
            environment.random.identifier()
        )
        wake.continuation.yield()
    }

    func run() async {
        do {
            // An end that a kill swallowed is told now.
            for identity in try untold() { try tell(identity) }
        } catch {
            return observer(.storageFailed(description: "\(error)"))
        }
        wake.continuation.yield()
        for await _ in wake.stream {
            do {
                while let job = try next() { try await finish(job) }
            } catch {
                return observer(.storageFailed(description: "\(error)"))
            }
        }
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
            SELECT identity, file, size, key, url, position FROM job
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
                serverOffset: row.integer(at: 5)
            )
        }
    }

    private func finish(_ job: Job) async throws {
        var job = job
        if defects.contains(.runningNotResumed) {
            try connection.execute("UPDATE job SET running = 1 WHERE identity = ?", job.identity)
        }
        var failures = 0
        var isOffsetKnown = defects.contains(.offsetTrustedWithoutHEAD)
        while true {
            let before = job.offset
            let asked = await step(&job, &isOffsetKnown)
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
                    return try wait(response)
                }
                if !defects.contains(.sourceNotAdvanced) { job.offset = offset }
                (job.serverOffset, isOffsetKnown) = (offset, true)
                return nil
            }
            return try await append(&job, to: url, &isOffsetKnown)
        } catch {
            if !defects.contains(.offsetTrustedWithoutHEAD) { isOffsetKnown = false }
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
        let range = job.offset..<min(job.size, job.offset + chunk)
        guard !range.isEmpty else { return nil }
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
            if !defects.contains(.offsetTrustedWithoutHEAD) { isOffsetKnown = false }
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
