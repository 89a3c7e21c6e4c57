import ClientModules
import Foundation
import Quantities
import Testing

/// Two processes with an outbox each on one database, in real files.
@Suite struct OutboxSharingTests {
    /// An outbox of another process on the same files.
    private func other(
        _ fixture: OutboxFixture,
        configure: (inout OutboxConfiguration) -> Void = { _ in }
    ) throws -> Outbox {
        var environment = fixture.phone.environment
        environment.process = "share"
        let server = try #require(URL(string: "https://api.example"))
        var configuration = OutboxConfiguration(server: server)
        let settled = fixture.settled
        configuration.settle = { settlement, _ in settled.hear(settlement) }
        configure(&configuration)
        return try Outbox(environment: environment, configuration: configuration)
    }

    @Test func `what one process sends the other leaves alone`() throws {
        let fixture = try OutboxFixture()
        let other = try other(fixture)
        fixture.run()
        fixture.phone.start { await other.run() }
        for identity in ["m1", "m2", "m3"] { try fixture.enqueue(identity) }
        fixture.phone.pass(.milliseconds(50))
        // Looks at what is there while m1 is under way.
        try fixture.phone.perform {
            try await other.enqueue(
                OutboxIntent(identity: "x1", entity: "x", path: "/messages", body: Data("x1".utf8))
            )
        }
        fixture.phone.pass(.seconds(120))
        #expect(fixture.bodies.filter { $0 != "x1" } == ["m1", "m2", "m3"])
        #expect(fixture.bodies.count { $0 == "x1" } == 1)
        #expect(fixture.settled.all.count == 4)
    }

    // An attempt may take 30 s, and 10 s are added: what was begun at 0 s is free at 40 s.
    @Test func `what a process that died had under way is sent when its claim is over`() throws {
        let fixture = try OutboxFixture([1: .responseLost])
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.milliseconds(50))
        fixture.phone.launch()
        let other = try other(fixture)
        fixture.phone.start { await other.run() }
        fixture.phone.pass(.seconds(120))
        #expect(fixture.bodies == ["m1", "m1"])
        #expect(fixture.instants == [.zero, .seconds(40)])
        #expect(fixture.keys[0] == fixture.keys[1])
        #expect(fixture.settled.all.count == 1)
    }

    @Test func `a launch takes back what is under its own name alone`() throws {
        let fixture = try OutboxFixture()
        fixture.phone.transport.serve { _, _ in .never }
        try fixture.enqueue("m1")
        let other = try other(fixture)
        fixture.phone.start { await other.run() }
        fixture.phone.pass(.milliseconds(50))
        // That process is gone; the app cannot know, and waits.
        try fixture.relaunch()
        fixture.phone.pass(.seconds(39))
        #expect(fixture.bodies == ["m1"])
        fixture.phone.pass(.seconds(2))
        #expect(fixture.bodies == ["m1", "m1"])
    }

    @Test func `a pause that the server asks one process for holds for the other`() throws {
        let fixture = try OutboxFixture()
        fixture.phone.transport.serve { _, number in
            number == 1 ? .answer(429, [HTTPHeader("Retry-After", "20")]) : .answer(201)
        }
        let other = try other(fixture)
        fixture.phone.start { await other.run() }
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(1))
        try fixture.phone.perform {
            try await other.enqueue(
                OutboxIntent(identity: "x1", entity: "x", path: "/messages", body: Data("x1".utf8))
            )
        }
        fixture.phone.pass(.seconds(19))
        #expect(fixture.bodies == ["m1"])
        fixture.phone.pass(.seconds(60))
        #expect(fixture.bodies.sorted() == ["m1", "m1", "x1"])
    }

    // Without a time limit an attempt is its process's own for 70 s. The other sends m1 then, and m2 gets the row's
    // number; the answer to the first attempt comes at 100 s.
    @Test func `an answer that comes late ends no other intent`() throws {
        let fixture = try OutboxFixture { $0.retry.attemptTimeout = nil }
        fixture.phone.transport.serve { _, number in
            switch number {
            case 1: .answer(201, after: .seconds(100))
            case 2: .answer(201)
            default: .never
            }
        }
        fixture.run()
        try fixture.enqueue("m1")
        let other = try other(fixture) { $0.retry.attemptTimeout = nil }
        fixture.phone.start { await other.run() }
        fixture.phone.pass(.seconds(80))
        #expect(fixture.bodies == ["m1", "m1"])
        #expect(fixture.settled.all.map(\.identity) == ["m1"])
        try fixture.enqueue("m2")
        fixture.phone.pass(.seconds(60))
        #expect(fixture.settled.all.map(\.identity) == ["m1"])
        #expect(try fixture.pending().entries.map(\.identity) == ["m2"])
    }
}
