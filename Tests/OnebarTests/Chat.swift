import Foundation
import SQLiteStore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the chat module needs of the network: URLSession has it.
protocol HTTPClient: Sendable {
    func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)?
    ) async throws -> (Data, URLResponse)
}

/// A user's own module as they might write it: ordinary `Task`, `Task.sleep` and `UUID`, no ports.
actor ChatOutbox {
    /// Mistakes to be found.
    enum Defect: Sendable {
        case none
        /// A new key with every attempt.
        case keyMadeAtSend
        /// Returns before anything is stored.
        case promisesBeforeStoring
    }

    private let http: any HTTPClient
    private let defect: Defect
    private let database: SQLiteConnection
    private var isDraining = false

    init(http: any HTTPClient, database path: String, defect: Defect = .none) throws {
        self.http = http
        self.defect = defect
        database = try SQLiteConnection(path: path)
        try database.executeScript(
            "CREATE TABLE IF NOT EXISTS pending (id TEXT PRIMARY KEY, text TEXT, key TEXT)"
        )
        Task { await self.drain() }
    }

    func send(id: String, text: String) throws {
        if defect == .promisesBeforeStoring {
            Task {
                try await Task.sleep(for: .milliseconds(50))
                try self.store(id: id, text: text)
            }
            return
        }
        try store(id: id, text: text)
    }

    private func store(id: String, text: String) throws {
        try database.execute(
            "INSERT INTO pending VALUES (?, ?, ?)",
            id,
            text,
            UUID().uuidString
        )
        Task { await self.drain() }
    }

    private func drain() async {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        var wait = Duration.seconds(1)
        while let next = try? first() {
            if await post(next) {
                try? database.execute("DELETE FROM pending WHERE id = ?", next.id)
                wait = .seconds(1)
            } else {
                try? await Task.sleep(for: wait)
                wait = min(wait * 2, .seconds(30))
            }
        }
    }

    private func first() throws -> (id: String, text: String, key: String)? {
        try database.statement("SELECT id, text, key FROM pending ORDER BY rowid LIMIT 1")
            .first { ($0.text(at: 0), $0.text(at: 1), $0.text(at: 2)) }
    }

    private func post(_ message: (id: String, text: String, key: String)) async -> Bool {
        guard let url = URL(string: "https://chat.example.com/messages") else { return false }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.timeoutInterval = 20
        let key = defect == .keyMadeAtSend ? UUID().uuidString : message.key
        request.setValue("\"\(key)\"", forHTTPHeaderField: "Idempotency-Key")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(#"{"id":"\#(message.id)","text":"\#(message.text)"}"#.utf8)
        guard let (_, response) = try? await http.data(for: request, delegate: nil),
            let status = (response as? HTTPURLResponse)?.statusCode
        else { return false }
        return (200..<300).contains(status)
    }
}
