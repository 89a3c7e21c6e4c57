import ClientModules
import Foundation
import Quantities
import SQLiteStore
import Testing

@Suite struct OutboxTests {
    let phone: TestPhone
    let heard = Heard<OutboxEvent>()

    init() throws {
        phone = try TestPhone()
    }

    func makeOutbox(
        _ change: (inout OutboxConfiguration) -> Void = { _ in }
    ) throws -> Outbox {
        guard let server = URL(string: "https://api.example") else { throw URLError(.badURL) }
        var configuration = OutboxConfiguration(server: server)
        change(&configuration)
        let heard = heard
        return try Outbox(environment: phone.environment, configuration: configuration) {
            heard.hear($0)
        }
    }

    func message(_ identity: String, entity: String = "chat") -> OutboxIntent {
        OutboxIntent(
            identity: identity,
            entity: entity,
            path: "/messages",
            body: Data(identity.utf8)
        )
    }

    @Test func `an intent is sent once with its key, its type and its body`() throws {
        let outbox = try makeOutbox()
        phone.start { await outbox.run() }
        try phone.perform { try await outbox.enqueue(message("m1")) }
        phone.pass(.seconds(60))
        let seen = phone.transport.seen
        try #require(seen.count == 1)
        #expect(seen[0].request.url.absoluteString == "https://api.example/messages")
        #expect(seen[0].request.method == "POST")
        #expect(seen[0].request.purpose == "outbox")
        #expect(seen[0]["Content-Type"] == "application/json")
        #expect(seen[0].body == Data("m1".utf8))
        // draft-ietf-httpapi-idempotency-key-header-07, 2.1: an sf-string, quotes and all.
        let key = try #require(seen[0]["Idempotency-Key"])
        #expect(key.count == 38 && key.first == "\"" && key.last == "\"")
        #expect(
            heard.all == [
                .enqueued(identity: "m1"), .sending(identity: "m1", attempt: 1),
                .acknowledged(identity: "m1", status: 200),
            ]
        )
    }
}
