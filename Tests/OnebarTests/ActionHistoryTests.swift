import Onebar
import Testing

/// What was promised, told and left unknown, against the server's truth.
@Suite(.serialized) struct ActionHistoryTests {
    /// Three letters at once to one address; each names its effect.
    static func letters(
        _ defect: Postman.Defect,
        faults: [LabFault] = []
    ) async throws -> LabReport {
        try await Lab(conditions: "commute-no-faults", seeds: 1...1, faults: faults).run { world in
            letters(world, defect)
        }
    }

    /// The server knows a letter by its number.
    static func effect(_ number: Int) -> ActionEffect { ActionEffect("m\(number)", on: "the aunt") }

    static func letters(_ world: TestWorld, _ defect: Postman.Defect) {
        world.server.accept("POST /letters", identity: .json("id"))
        let phone = world.install { launch in Postman(http: launch.http, defect: defect) }
        phone.tap(every: .milliseconds(10), count: 3, effect: effect) { postman, n in
            await postman.take("m\(n)")
        }
        world.require(.settles, within: .seconds(60))
    }

    @Test func `what a right module promised took effect, once and in order`() async throws {
        let history = try await Self.letters(.none).history
        #expect(history.promised == 3)
        #expect(history.told == 0)
        #expect(history.unknown == 0)
        #expect(history.lost == 0)
        #expect(history.duplicated == 0)
        #expect(history.reordered == 0)
        #expect(history.phantom == 0)
    }

    @Test func `a promise without an effect is lost, by name`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.letters(.losesOne)
        }
        #expect(failure?.guarantee == "outbox.exactly_once")
        #expect(failure?.description.contains("action 'm3' was promised") == true)
        #expect(failure?.history?.lost == 1)
    }

    @Test func `a second effect is a duplicate`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.letters(.keyMadeAtSend, faults: [.loseEachResponse])
        }
        #expect(failure?.description.contains("action 'm1' took effect twice") == true)
        #expect(failure?.history?.duplicated == 1)
    }

    @Test func `an effect that overtook another on its entity is out of order`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.letters(.lastInFirstOut)
        }
        #expect(failure?.guarantee == "outbox.in_order")
        #expect(failure?.description.contains("on 'the aunt'") == true)
        #expect(failure?.history?.reordered == 1)
    }

    @Test func `an effect that nobody asked for is a phantom`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.letters(.inventsOne)
        }
        #expect(failure?.guarantee == "outbox.exactly_once")
        #expect(failure?.description.contains("'advertisement'") == true)
        #expect(failure?.description.contains("nobody asked for it") == true)
        #expect(failure?.history?.phantom == 1)
    }

    @Test func `what has not finished says what the app waits for`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Lab(conditions: "commute-no-faults", seeds: 1...1).run { world in
                world.server.accept("POST /letters", identity: .json("id"))
                let phone = world.install { launch in
                    Postman(http: launch.http, defect: .sleepsForADay)
                }
                phone.tap(every: .seconds(1), count: 1) { postman, _ in
                    await postman.take("m1")
                    while await postman.delivered == 0 {
                        try await Task.sleep(for: .seconds(7_200))
                    }
                }
                world.require(.settles, within: .seconds(60))
            }
        }
        #expect(failure?.guarantee == "settles")
        let text = failure?.description ?? ""
        #expect(text.contains("tap number 1 (begun at 1 s)"))
        // Begun at 1 s: two hours, and a day.
        #expect(text.contains("the app waits for a timer that is due at 2 h"))
        #expect(text.contains("a timer that is due at 24 h"))
        // No kill cut it: it has not returned, which is not the same.
        #expect(failure?.history?.unknown == 0)
        #expect(failure?.history?.promised == 0)
    }

    // The letter goes out all the same: whoever is told that it did not writes it again.
    @Test(arguments: [true, false])
    func `an error is held to what the test says that it claims`(isUndone: Bool) async throws {
        struct Refused: Error {}
        let failure = try await Self.failure {
            try await Lab(conditions: "commute-no-faults", seeds: 1...1).run { world in
                world.server.accept("POST /letters", identity: .json("id"))
                let phone = world.install { launch in Postman(http: launch.http) }
                let effect = ActionEffect("m1", isUndoneIfThrown: isUndone)
                phone.tap(every: .seconds(1), count: 1, effect: { _ in effect }) { postman, _ in
                    await postman.take("m1")
                    throw Refused()
                }
            }
        }
        #expect(failure?.guarantee == (isUndone ? "outbox.exactly_once" : nil))
        let said = failure?.description.contains("failed (it threw Refused())") ?? false
        #expect(said == isUndone)
    }

    private static func failure(
        _ run: () async throws -> LabReport
    ) async throws -> LabFailure? {
        do {
            _ = try await run()
            return nil
        } catch let failure as LabFailure {
            return failure
        }
    }

    @Test func `an action that threw is told, and one cut by a kill is unknown`() async throws {
        struct Refused: Error {}
        let told = try await Lab(conditions: "commute-no-faults", seeds: 1...1).run { world in
            world.server.accept("POST /letters", identity: .json("id"))
            let phone = world.install { launch in Postman(http: launch.http) }
            phone.tap(every: .seconds(1), count: 3, effect: Self.effect) { postman, n in
                if n == 2 { throw Refused() }
                await postman.take("m\(n)")
            }
        }
        #expect(told.history.promised == 2)
        #expect(told.history.told == 1)

        let lab = Lab(
            conditions: "commute-no-faults",
            seeds: 1...1,
            faults: [.killAtEveryWrite]
        )
        let cut = try await lab.run { world in
            world.server.accept("POST /messages", identity: .json("id"))
            let phone = world.install { launch in
                try ChatOutbox(http: launch.http, database: launch.file("chat.sqlite"))
            }
            phone.tap(every: .seconds(1), count: 1, effect: Self.effect) { outbox, _ in
                try await outbox.send(id: "m1", text: "Hello")
            }
        }
        #expect(cut.history.unknown > 0)
        #expect(cut.history.promised + cut.history.unknown + cut.history.told == cut.runs)
    }
}
