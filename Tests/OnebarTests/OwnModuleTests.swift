import Onebar
import Testing

extension SimulatedHTTP: HTTPClient {}

/// A user's own module on our phone, as a user would test it.
@Suite(.serialized) struct OwnModuleTests {
    static func test(
        _ defect: ChatOutbox.Defect,
        conditions: String = "commute",
        seeds: ClosedRange<UInt64> = 1...4,
        faults: [LabFault] = [.killAtEveryWrite, .loseEachResponse]
    ) async throws {
        try await Lab(conditions: conditions, seeds: seeds, faults: faults).run { world in
            world.server.accept("POST /messages", identity: .json("id"))
            let phone = world.install { launch in
                try ChatOutbox(
                    http: launch.http,
                    database: launch.file("chat.sqlite"),
                    defect: defect
                )
            }
            phone.tap(every: .seconds(30), count: 8) { outbox, n in
                try await outbox.send(id: "m\(n)", text: "Hello \(n)")
            }
            world.require(.exactlyOnce, within: .seconds(300))
            world.budget("radio.energy_j", "p95 <= 400J")
        }
    }

    @Test func `a message sent on a commute arrives exactly once`() async throws {
        try await Self.test(.none)
    }

    // The built-in app is signed in there; a module of one's own has nobody to sign in.
    @Test func `a module of one's own is asked for no tokens`() async throws {
        try await Self.test(.none, conditions: "session", seeds: 1...1, faults: [])
    }

    @Test func `a key made at send is found out by a lost response`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.test(
                .keyMadeAtSend,
                conditions: "commute-no-faults",
                faults: [.loseEachResponse]
            )
        }
        let text = failure?.description ?? ""
        #expect(text.contains("outbox.exactly_once"))
        #expect(text.contains("the loss of the response to request"))
        #expect(text.contains("took effect twice at the server"))
        #expect(text.contains("the idempotency keys differed"))
    }

    @Test func `the faults of the conditions alone find out a key made at send`() async throws {
        // The commute loses the answer to the fifth message.
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.test(.keyMadeAtSend, seeds: 1...1, faults: [])
        }
        #expect(failure?.description.contains("'m5' took effect twice") == true)
    }

    @Test func `a promise before the write is found out by a kill`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.test(.promisesBeforeStoring, faults: [.killAtEveryWrite])
        }
        #expect(failure?.description.contains("outbox.exactly_once") == true)
    }

    @Test func `a budget that is too small is a failure that names it`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Lab(conditions: "commute", seeds: 1...2).run { world in
                world.server.accept("POST /messages", identity: .json("id"))
                let phone = world.install { launch in
                    try ChatOutbox(http: launch.http, database: launch.file("chat.sqlite"))
                }
                phone.tap(every: .seconds(30), count: 3) { outbox, n in
                    try await outbox.send(id: "m\(n)", text: "Hello")
                }
                world.budget("radio.energy_j", "max <= 1J")
            }
        }
        #expect(failure?.description.contains("radio.energy_j") == true)
    }

    @Test func `a test that declares nothing is told what is missing`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Lab(conditions: "commute").run { _ in }
        }
        #expect(failure?.description.contains("world.install") == true)
    }

    @Test func `a budget on an unknown metric is told the nearest one`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Lab(conditions: "commute").run { world in
                world.budget("radio.energy", "p95 <= 1J")
            }
        }
        #expect(failure?.description.contains("radio.energy_j") == true)
    }
}
