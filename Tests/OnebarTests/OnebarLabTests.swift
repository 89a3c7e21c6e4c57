import Foundation
import Onebar
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The module under test. Put yours in its place: `@testable import` it and delete this one.
actor Sender {
    private let http: SimulatedHTTP
    private var queue: [(id: String, key: String)] = []
    private var isSending = false

    init(http: SimulatedHTTP) { self.http = http }

    /// Promises to send a message; its idempotency key is made here, once.
    func send(_ id: String) {
        queue.append((id, UUID().uuidString))
        Task { await drain() }
    }

    private func drain() async {
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        var pause = Duration.seconds(1)
        while let message = queue.first {
            if await post(message.id, key: message.key) {
                queue.removeFirst()
                pause = .seconds(1)
            } else {
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(30))
            }
        }
    }

    private func post(_ id: String, key: String) async -> Bool {
        guard let url = URL(string: "https://api.example.com/messages") else { return false }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.timeoutInterval = 20
        request.setValue("\"\(key)\"", forHTTPHeaderField: "Idempotency-Key")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(#"{"id":"\#(id)"}"#.utf8)
        let answer = try? await http.data(for: request, delegate: nil)
        let status = (answer?.1 as? HTTPURLResponse)?.statusCode ?? 0
        return (200..<300).contains(status)
    }
}

/// What your module does at one bar of signal.
@Suite(.serialized) struct OnebarLabTests {
    @Test func `a message arrives exactly once when answers are lost on a commute`() async throws {
        let lab = Lab(conditions: "commute-no-faults", seeds: 1...4, faults: [.loseEachResponse])
        try await lab.run { world in
            world.server.accept("POST /messages", identity: .json("id"))
            let phone = world.install { launch in Sender(http: launch.http) }
            phone.tap(every: .seconds(30), count: 8) { sender, n in await sender.send("m\(n)") }
            world.require(.exactlyOnce, within: .seconds(300))
            world.budget("radio.energy_j", "p95 <= 400J")
        }
    }
}
