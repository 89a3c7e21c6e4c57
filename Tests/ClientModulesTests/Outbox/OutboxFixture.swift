import ClientModules
import Foundation
import SQLiteStore
import Testing

/// An outbox on a test phone, with a server that remembers.
final class OutboxFixture: @unchecked Sendable {
    let phone: TestPhone
    let origin: FakeOrigin
    let heard = Heard<OutboxEvent>()
    let settled = Heard<OutboxSettlement>()
    private(set) var outbox: Outbox

    init(
        _ fates: [Int: FakeOrigin.Fate] = [:],
        configure: (inout OutboxConfiguration) -> Void = { _ in }
    ) throws {
        phone = try TestPhone()
        origin = FakeOrigin(fates)
        let origin = origin
        phone.transport.serve { origin.serve($0, $1) }
        outbox = try Self.make(phone, heard, settled, configure)
    }

    /// Starts the drainer.
    @discardableResult
    func run() -> Task<Void, Never> {
        let outbox = outbox
        return phone.start { await outbox.run() }
    }

    /// Kills the app where it stands and launches it again on the same files.
    func relaunch(configure: (inout OutboxConfiguration) -> Void = { _ in }) throws {
        phone.launch()
        outbox = try Self.make(phone, heard, settled, configure)
        run()
    }

    func enqueue(_ identity: String, entity: String = "chat", collapse: String? = nil) throws {
        let outbox = outbox
        let intent = OutboxIntent(
            identity: identity,
            entity: entity,
            collapseKey: collapse,
            path: "/messages",
            body: Data(identity.utf8)
        )
        try phone.perform { try await outbox.enqueue(intent) }
    }

    func pending() throws -> OutboxStatus {
        let outbox = outbox
        return try phone.perform { try await outbox.pending() }
    }

    func deadLetters() throws -> [String: OutboxDeadLetter.Reason] {
        let outbox = outbox
        let letters = try phone.perform { try await outbox.deadLetters() }
        return Dictionary(uniqueKeysWithValues: letters.map { ($0.intent.identity, $0.reason) })
    }

    var bodies: [String] {
        phone.transport.seen.map { String(decoding: $0.body, as: UTF8.self) }
    }

    var keys: [String?] { phone.transport.seen.map { $0["Idempotency-Key"] } }

    /// Instants of the requests, from the beginning of the test.
    var instants: [Duration] { phone.transport.seen.map { $0.at - .seconds(1_000) } }

    private static func make(
        _ phone: TestPhone,
        _ heard: Heard<OutboxEvent>,
        _ settled: Heard<OutboxSettlement>,
        _ configure: (inout OutboxConfiguration) -> Void
    ) throws -> Outbox {
        let server = try #require(URL(string: "https://api.example"))
        var configuration = OutboxConfiguration(server: server)
        configuration.settle = { settlement, _ in settled.hear(settlement) }
        configure(&configuration)
        return try Outbox(environment: phone.environment, configuration: configuration) {
            heard.hear($0)
        }
    }
}
