import ClientModules
import Foundation
import Lab
import SQLiteStore

/// A telemetry queue as an SDK ships it: a file an event, sent in batches; right if it has no defect.
///
/// What is sent together is put down together before it is sent, and stays as it is until the server
/// has answered, so that its key means one thing. Of a batch that is refused each event is sent alone.
actor EventQueue: OutboxDriving {
    /// Events that share a key.
    private struct Parcel {
        var path: String
        var key: String
        var events: [String]

        var identities: [String] {
            events.compactMap { event in
                let object = try? JSONSerialization.jsonObject(with: Data(event.utf8))
                return (object as? [String: Any])?["id"] as? String
            }
        }
    }

    private let environment: ClientEnvironment
    private let server: URL
    private let defects: EventDefects
    private let observer: @Sendable (OutboxEvent) -> Void
    private let folder: String
    private let wake = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private var lastNumber = 0
    /// Twenty are Segment's; 64 KiB and the waits are choices.
    private let mostEvents = 20
    private let mostBytes = 64 << 10

    init(
        _ launch: LaunchContext,
        defects: EventDefects
    ) throws {
        environment = launch.environment
        server = launch.server.root
        observer = launch.outboxObserver
        folder = launch.environment.directory + "/queue/"
        self.defects = defects
        for path in try environment.files.list(prefix: folder) {
            if path.hasSuffix(".part") { try environment.files.remove(path, syncDirectory: false) }
            lastNumber = max(lastNumber, Int(path.suffix(6)) ?? 0)
        }
    }

    func enqueue(
        _ intent: OutboxIntent,
        writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws {
        lastNumber += 1
        let number = String(1_000_000 + lastNumber).suffix(6)
        try put(String(decoding: intent.body, as: UTF8.self), at: "\(folder)e\(number)")
        observer(.enqueued(identity: intent.identity))
        wake.continuation.yield()
    }

    func run() async {
        wake.continuation.yield()
        var failures = 0
        for await _ in wake.stream {
            while !Task.isCancelled {
                do {
                    guard try await round() else { break }
                    failures = 0
                } catch {
                    failures += 1
                    let wait = RetryPolicy().wait(
                        beforeRetry: failures,
                        asked: (error as? Postponed)?.asked,
                        random: environment.random
                    )
                    try? await environment.clock.sleep(for: wait)
                }
            }
            guard !Task.isCancelled else { return }
        }
    }

    func needsTime() async -> Bool {
        ((try? environment.files.list(prefix: folder)) ?? []).isEmpty == false
    }

    /// The server did not take a parcel now.
    private struct Postponed: Error {
        var asked: Duration?
    }

    /// Sends what is first in line; false when nothing is left.
    private func round() async throws -> Bool {
        if let single = try parcels("s").first {
            try await send(single, "/messages", single.events[0])
            return true
        }
        if defects.contains(.takenAwayByPlace) { return try await roundByPlace() }
        guard let batch = try parcels("b").first ?? pack() else { return false }
        for event in try names("e") where batch.events.contains(try contents(of: event)) {
            // A kill came between the batch and this.
            try environment.files.remove(event, syncDirectory: false)
        }
        try await send(batch, "/messages/batch", Self.body(batch.events))
        return true
    }

    /// Puts the next batch down; nil when nothing can be read.
    private func pack() throws -> Parcel? {
        let waiting = try names("e")
        guard !waiting.isEmpty else { return nil }
        var events: [String] = []
        var taken: [String] = []
        var bytes = 0
        for path in waiting {
            guard let event = try? contents(of: path) else { continue }
            let isFull = events.count == mostEvents || bytes + event.utf8.count > mostBytes
            if isFull, !defects.contains(.wholeBacklogAtOnce) { break }
            bytes += event.utf8.count
            events.append(event)
            taken.append(path)
        }
        environment.memory.declare(Int64(bytes), holder: "events")
        guard !events.isEmpty else { throw Postponed() }
        let number = String(1_000_000 + lastNumber).suffix(6)
        let parcel = Parcel(
            path: "\(folder)b\(number)",
            key: environment.random.identifier(),
            events: events
        )
        try put(parcel)
        for path in taken { try environment.files.remove(path, syncDirectory: false) }
        return parcel
    }

    /// Takes what can be read from the front, and away as many from the front as were sent.
    private func roundByPlace() async throws -> Bool {
        let waiting = try names("e")
        guard !waiting.isEmpty else { return false }
        let events = waiting.compactMap { try? contents(of: $0) }.prefix(2)
        guard !events.isEmpty else { throw Postponed() }
        let batch = Parcel(path: "", key: environment.random.identifier(), events: Array(events))
        let answer = await post("/messages/batch", Self.body(batch.events), key: batch.key)
        guard (200..<300).contains(answer.status) else { throw Postponed(asked: answer.asked) }
        for identity in batch.identities {
            observer(.acknowledged(identity: identity, status: answer.status))
        }
        for path in waiting.prefix(events.count) {
            try? environment.files.remove(path, syncDirectory: false)
        }
        return true
    }

    private func send(_ parcel: Parcel, _ path: String, _ body: String) async throws {
        let answer = await post(path, body, key: parcel.key)
        if (200..<300).contains(answer.status) {
            for identity in parcel.identities {
                observer(.acknowledged(identity: identity, status: answer.status))
            }
            return try environment.files.remove(parcel.path, syncDirectory: true)
        }
        let isRefusal =
            (400..<500).contains(answer.status)
            && ![408, 409, 425, 429].contains(answer.status)
        guard isRefusal, !defects.contains(.refusedBatchStays) else {
            throw Postponed(asked: answer.asked)
        }
        if parcel.events.count > 1 {
            let number = parcel.path.suffix(6)
            for (index, event) in parcel.events.enumerated() {
                try put(
                    Parcel(
                        path: "\(folder)s\(String(100 + index).suffix(2))-\(number)",
                        key: "\(parcel.key)-\(index)",
                        events: [event]
                    )
                )
            }
        } else {
            for identity in parcel.identities {
                observer(
                    .deadLettered(
                        identity: identity,
                        .refused(status: answer.status),
                        mayHaveTakenEffect: false
                    )
                )
            }
        }
        try environment.files.remove(parcel.path, syncDirectory: true)
    }

    private static func body(_ events: [String]) -> String {
        #"{"batch":[\#(events.joined(separator: ","))]}"#
    }

    private func post(
        _ path: String,
        _ body: String,
        key: String
    ) async -> (status: Int, asked: Duration?) {
        guard let url = URL(string: path, relativeTo: server)?.absoluteURL else {
            return (400, nil)
        }
        let request = HTTPRequest(
            method: "POST",
            url: url,
            headers: [
                HTTPHeader("Content-Type", "application/json"),
                HTTPHeader("Idempotency-Key", "\"\(key)\""),
            ],
            idleTimeout: .seconds(30),
            purpose: "outbox"
        )
        do {
            let response = try await environment.transport.send(
                request,
                body: .data(Data(body.utf8)),
                progress: nil
            )
            _ = try? await response.body()
            let wallTime = environment.clock.wallTime
            return (response.status, RetryAfter.wait(askedBy: response, wallTime: wallTime))
        } catch {
            return (0, nil)
        }
    }

    // MARK: Files

    private func names(_ kind: String) throws -> [String] {
        try environment.files.list(prefix: folder + kind).filter { !$0.hasSuffix(".part") }
    }

    private func parcels(_ kind: String) throws -> [Parcel] {
        try names(kind).prefix(1).map { path in
            var lines = try contents(of: path).split(separator: "\n").map(String.init)
            let key = lines.isEmpty ? "" : lines.removeFirst()
            return Parcel(path: path, key: key, events: lines)
        }
    }

    private func put(_ parcel: Parcel) throws {
        try put(([parcel.key] + parcel.events).joined(separator: "\n"), at: parcel.path)
    }

    /// Beside, synced, and renamed: there is a whole file or none.
    private func put(_ text: String, at path: String) throws {
        let file = try environment.files.open(path + ".part", create: true)
        defer { file.close() }
        try file.truncate(to: 0)
        let bytes = Data(text.utf8)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        try file.sync(full: false)
        try environment.files.rename(path + ".part", to: path)
        try environment.files.syncDirectory(of: path)
    }

    private func contents(of path: String) throws -> String {
        let file = try environment.files.open(path, create: false)
        defer { file.close() }
        var data = Data(count: Int(try file.size()))
        _ = try data.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return String(decoding: data, as: UTF8.self)
    }
}
