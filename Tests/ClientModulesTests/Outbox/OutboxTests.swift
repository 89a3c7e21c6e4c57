import ClientModules
import Foundation
import Quantities
import SQLiteStore
import Synchronization
import Testing

@Suite struct OutboxTests {
    @Test func `an intent is sent once with its key, its type and its body`() throws {
        let fixture = try OutboxFixture()
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(60))
        let seen = fixture.phone.transport.seen
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
            fixture.heard.all == [
                .enqueued(identity: "m1"), .sending(identity: "m1", attempt: 1),
                .acknowledged(identity: "m1", status: 201),
            ]
        )
        #expect(
            fixture.settled.all == [
                OutboxSettlement(
                    identity: "m1",
                    outcome: .acknowledged(status: 201, body: Data("{}".utf8))
                )
            ]
        )
        #expect(try fixture.pending().count == 0)
    }

    @Test func `one entity goes in order, two entities at the same time`() throws {
        let fixture = try OutboxFixture()
        fixture.origin.setLatency(.seconds(1))
        fixture.run()
        for identity in ["a1", "a2", "a3"] { try fixture.enqueue(identity, entity: "a") }
        for identity in ["b1", "b2"] { try fixture.enqueue(identity, entity: "b") }
        try fixture.enqueue("c1", entity: "c")
        fixture.phone.pass(.seconds(60))
        // Two slots, a second each: a1 b1 | a2 b2 | a3 c1.
        #expect(fixture.bodies == ["a1", "b1", "a2", "b2", "a3", "c1"])
        let expected: [Double] = [0, 0, 1, 1, 2, 2]
        #expect(fixture.instants.map { $0 / .seconds(1) } == expected)
    }

    @Test func `the local row and the intent are written together or not at all`() throws {
        struct Refused: Error {}
        let fixture = try OutboxFixture { configuration in
            configuration.prepare = {
                try $0.executeScript("CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY)")
            }
        }
        let outbox = fixture.outbox
        let intent = OutboxIntent(identity: "m1", path: "/messages", body: Data())
        #expect(throws: Refused.self) {
            try fixture.phone.perform {
                try await outbox.enqueue(intent) { database in
                    try database.execute("INSERT INTO message VALUES ('m1')")
                    throw Refused()
                }
            }
        }
        func rows() throws -> Int64? {
            try fixture.phone.perform {
                try await outbox.write { database in
                    try database.statement("SELECT count(*) FROM message").first {
                        $0.integer(at: 0)
                    }
                }
            }
        }
        #expect(try rows() == 0)
        #expect(try fixture.pending().count == 0)
        #expect(fixture.heard.all.isEmpty)
        try fixture.phone.perform {
            try await outbox.enqueue(intent) { database in
                try database.execute("INSERT INTO message VALUES ('m1')")
            }
        }
        #expect(try rows() == 1)
        #expect(try fixture.pending().count == 1)
    }

    @Test func `an identity is taken in once while it is there`() throws {
        let fixture = try OutboxFixture()
        try fixture.enqueue("m1")
        #expect(throws: OutboxError.identityInUse("m1")) { try fixture.enqueue("m1") }
        #expect(try fixture.pending().count == 1)
    }

    @Test func `a lost acknowledgement leads to one effect`() throws {
        let fixture = try OutboxFixture([1: .responseLost, 2: .responseLost])
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(60))
        #expect(fixture.bodies == ["m1", "m1", "m1"])
        #expect(Set(fixture.keys).count == 1)
        #expect(fixture.origin.effects == ["m1"])
        #expect(fixture.heard.all.last == .acknowledged(identity: "m1", status: 201))
    }

    @Test func `different intents have different keys`() throws {
        let fixture = try OutboxFixture()
        fixture.run()
        for number in 1...5 { try fixture.enqueue("m\(number)") }
        fixture.phone.pass(.seconds(60))
        #expect(Set(fixture.keys).count == 5)
    }

    @Test func `a refused intent is put aside and the ones behind it go on`() throws {
        let fixture = try OutboxFixture([1: .refused(422)])
        fixture.run()
        for identity in ["m1", "m2", "m3"] { try fixture.enqueue(identity) }
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["m2", "m3"])
        #expect(try fixture.deadLetters() == ["m1": .refused(status: 422)])
        #expect(fixture.heard.all.contains(.deadLettered(identity: "m1", .refused(status: 422))))
        #expect(fixture.settled.all.map(\.identity) == ["m1", "m2", "m3"])
    }

    // The answer to the first attempt is lost and may have been a yes; the refusal is the second attempt's.
    @Test func `what may have taken effect before it was refused is not called failed`() throws {
        for (fates, isUnsure) in [
            ([1: FakeOrigin.Fate.responseLost, 2: .refused(422)], true),
            ([1: .refused(503), 2: .refused(422)], false),
        ] {
            let fixture = try OutboxFixture(fates)
            fixture.run()
            try fixture.enqueue("m1")
            fixture.phone.pass(.seconds(60))
            #expect(fixture.origin.effects == (isUnsure ? ["m1"] : []))
            #expect(
                fixture.heard.all.last
                    == .deadLettered(
                        identity: "m1",
                        .refused(status: 422),
                        mayHaveTakenEffect: isUnsure
                    )
            )
            #expect(
                fixture.settled.all.map(\.outcome)
                    == [.deadLettered(.refused(status: 422), mayHaveTakenEffect: isUnsure)]
            )
            let outbox = fixture.outbox
            let letters = try fixture.phone.perform { try await outbox.deadLetters() }
            #expect(letters.map(\.mayHaveTakenEffect) == [isUnsure])
        }
    }

    // Alone in failing: ten answers with 500, then it is given up and the next one goes.
    @Test func `an intent that the server fails on alone is given up after ten answers`() throws {
        let fates = Dictionary(
            uniqueKeysWithValues: (1...10).map { ($0, FakeOrigin.Fate.refused(500)) }
        )
        let fixture = try OutboxFixture(fates)
        fixture.run()
        try fixture.enqueue("m1")
        try fixture.enqueue("m2")
        fixture.phone.pass(.seconds(3_600))
        #expect(fixture.bodies.count { $0 == "m1" } == 10)
        #expect(fixture.origin.effects == ["m2"])
        #expect(try fixture.deadLetters() == ["m1": .poison(status: 500)])
    }

    @Test func `a server that fails on everyone poisons nobody`() throws {
        let fixture = try OutboxFixture()
        fixture.origin.setFallback(.refused(500))
        fixture.run()
        try fixture.enqueue("a1", entity: "a")
        try fixture.enqueue("b1", entity: "b")
        fixture.phone.pass(.seconds(1_800))
        #expect(fixture.bodies.count > 20)
        #expect(try fixture.deadLetters().isEmpty)
        fixture.origin.setFallback(.normal)
        fixture.phone.pass(.seconds(120))
        #expect(fixture.origin.effects.sorted() == ["a1", "b1"])
    }

    @Test func `a 409 is tried again unchanged`() throws {
        let fixture = try OutboxFixture([1: .refused(409), 2: .refused(409)])
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(60))
        #expect(fixture.keys.count == 3)
        #expect(Set(fixture.keys).count == 1)
        #expect(fixture.origin.effects == ["m1"])
    }

    @Test func `a 401 brings fresh credentials, once`() throws {
        let fixture = try OutboxFixture([1: .refused(401), 3: .refused(401), 4: .refused(401)]) {
            $0.authorize = { request, wasRefused in
                var request = request
                request[header: "Authorization"] = wasRefused ? "fresh" : "stale"
                return request
            }
        }
        fixture.run()
        try fixture.enqueue("m1")
        try fixture.enqueue("m2")
        fixture.phone.pass(.seconds(60))
        let fields = fixture.phone.transport.seen.map { $0["Authorization"] }
        #expect(fields == ["stale", "fresh", "stale", "fresh"])
        #expect(fixture.origin.effects == ["m1"])
        #expect(try fixture.deadLetters() == ["m2": .refused(status: 401)])
    }

    @Test func `a stranger's answer is no acknowledgement and no refusal`() throws {
        let fixture = try OutboxFixture([1: .refused(200), 2: .refused(403)]) {
            $0.isFromServer = { status, _ in status == 201 }
        }
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["m1"])
        #expect(fixture.keys.count == 3)
    }

    @Test func `a path that is no URL is refused at once`() throws {
        let fixture = try OutboxFixture()
        let outbox = fixture.outbox
        #expect(throws: OutboxError.badPath("http://[")) {
            try fixture.phone.perform {
                try await outbox.enqueue(
                    OutboxIntent(identity: "m1", path: "http://[", body: Data())
                )
            }
        }
    }

    // max_page_count makes SQLite answer SQLITE_FULL as on a full device.
    @Test func `a full disk promises nothing and passes`() throws {
        let fixture = try OutboxFixture()
        fixture.run()
        try fixture.enqueue("m1")
        let outbox = fixture.outbox
        func limitPages(_ limit: String) throws {
            _ = try fixture.phone.perform {
                try await outbox.write { database in
                    try database.statement("PRAGMA max_page_count = \(limit)").first {
                        $0.integer(at: 0)
                    }
                }
            }
        }
        try limitPages("1")
        let large = String(repeating: "x", count: 100_000)
        let error = #expect(throws: SQLiteError.self) { try fixture.enqueue(large) }
        #expect(error?.isFull == true)
        fixture.phone.pass(.seconds(5))
        #expect(fixture.origin.effects == ["m1"])
        try limitPages("1000000")
        try fixture.enqueue("m2")
        fixture.phone.pass(.seconds(5))
        #expect(fixture.origin.effects == ["m1", "m2"])
        #expect(fixture.heard.all.count { $0 == .enqueued(identity: large) } == 0)
    }

    @Test func `a second drainer leaves at once`() throws {
        let fixture = try OutboxFixture()
        fixture.run()
        let outbox = fixture.outbox
        try fixture.phone.perform { await outbox.run() }
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(60))
        #expect(fixture.bodies == ["m1"])
    }

    @Test func `what the app cannot write is tried again and not sent again`() throws {
        struct Refused: Error {}
        let tries = Heard<Int>()
        let fixture = try OutboxFixture { configuration in
            configuration.settle = { _, _ in
                tries.hear(1)
                if tries.all.count < 3 { throw Refused() }
            }
        }
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(60))
        #expect(fixture.bodies == ["m1"])
        #expect(tries.all.count == 3)
        #expect(try fixture.pending().count == 0)
        #expect(fixture.heard.all.last == .acknowledged(identity: "m1", status: 201))
    }

    @Test func `dead letters can be sent again or dropped`() throws {
        let fixture = try OutboxFixture([1: .refused(400), 2: .refused(400), 3: .refused(400)])
        fixture.run()
        for identity in ["m1", "m2", "m3"] { try fixture.enqueue(identity, entity: "") }
        fixture.phone.pass(.seconds(60))
        let outbox = fixture.outbox
        let found = try fixture.phone.perform {
            [
                try await outbox.requeue("m1", withNewKey: true),
                try await outbox.requeue("m2", withNewKey: false),
                try await outbox.discard("m3"), try await outbox.discard("m4"),
            ]
        }
        #expect(found == [true, true, true, false])
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["m1", "m2"])
        #expect(fixture.keys[3] != fixture.keys[0])
        #expect(fixture.keys[4] == fixture.keys[1])
        #expect(try fixture.deadLetters().isEmpty)
    }

    @Test func `what is pending says why`() throws {
        let fixture = try OutboxFixture([1: .refused(503, [HTTPHeader("Retry-After", "20")])]) {
            $0.retry.jitter = .none
        }
        try fixture.enqueue("a1", entity: "a")
        try fixture.enqueue("a2", entity: "a")
        try fixture.enqueue("b1", entity: "b")
        fixture.run()
        #expect(
            try fixture.pending().entries.map(\.activity) == [
                .sending, .behind(identity: "a1"), .sending,
            ]
        )
        fixture.phone.pass(.seconds(10))
        // 0.1 s for the answer, 20 s from then, 10 s have passed.
        #expect(
            try fixture.pending().entries.map(\.activity) == [
                .waiting(.milliseconds(10_100)), .behind(identity: "a1"),
            ]
        )
        fixture.phone.path.set(isSatisfied: false)
        fixture.phone.pass(.zero)
        let status = try fixture.pending()
        #expect(status.entries.map(\.activity) == [.waitingForPath, .behind(identity: "a1")])
        #expect(status.entries.map(\.age) == [.seconds(10), .seconds(10)])
        #expect(status.count == 2)
    }

    @Test func `it tells what its database holds`() throws {
        let fixture = try OutboxFixture()
        try fixture.enqueue("m1")
        let held = fixture.phone.meter.held.withLock { $0["outbox.database"] }
        #expect(try #require(held) > 0)
    }
}
