import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends what the person wrote, however long it takes: through tunnels, and over the death of the app.
actor Outbox {
    private let http: any HTTPClient
    private let store: MessageStore
    private let log: @Sendable (String) -> Void
    private var isDraining = false

    /// Opens the outbox and goes on with what an earlier launch left.
    init(
        http: any HTTPClient,
        database: String,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.http = http
        self.log = log
        store = try MessageStore(path: database)
        let left = try store.count()
        if left > 0 { log("\(left) unsent from before") }
        Task { await drain() }
    }

    /// Promises to send: when this returns, no kill can take the message away.
    func send(id: String, text: String) throws {
        try store.add(Message(id: id, text: text, key: UUID()))
        Task { await drain() }
    }

    /// How many messages the server has not confirmed.
    var unsent: Int { get throws { try store.count() } }

    private func drain() async {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        var pause = 1.0
        while let message = try? store.first() {
            await waitUntilWelcome()
            do {
                try await post(message)
                try store.remove(message)
                log("sent \(message.id)")
                pause = 1
            } catch let refusal as Refusal {
                log("the server is busy, and asks for \(refusal.retryAfter) s")
                try? store.pause(until: Date() + refusal.retryAfter)
            } catch {
                log("could not send \(message.id)")
                try? await Task.sleep(for: .seconds(pause * Double.random(in: 0.5...1)))
                pause = min(pause * 2, 30)
            }
        }
    }

    /// Waits as long as the server has asked for, in this launch or in an earlier one.
    private func waitUntilWelcome() async {
        guard let until = try? store.pausedUntil() else { return }
        let left = until.timeIntervalSinceNow
        if left > 0 { try? await Task.sleep(for: .seconds(left)) }
    }

    private func post(_ message: Message) async throws {
        guard let url = URL(string: "https://chat.example.com/messages") else {
            throw URLError(.badURL)
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.timeoutInterval = 20
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("\"\(message.key.uuidString)\"", forHTTPHeaderField: "Idempotency-Key")
        request.httpBody = try JSONEncoder().encode(["id": message.id, "text": message.text])
        let (_, response) = try await http.data(for: request, delegate: nil)
        guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        if let text = answer.value(forHTTPHeaderField: "Retry-After"), let seconds = Double(text) {
            throw Refusal(retryAfter: seconds)
        }
        guard (200..<300).contains(answer.statusCode) else { throw URLError(.badServerResponse) }
    }
}

/// The server wants to be left alone for a while.
private struct Refusal: Error {
    let retryAfter: TimeInterval
}
