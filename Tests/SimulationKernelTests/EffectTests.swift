import Quantities
import SimulationKernel
import Testing

/// A disk that keeps what was written while its process lived.
private final class Disk: @unchecked Sendable {
    var files: [String: Int] = [:]
}

@Suite struct EffectTests {
    init() throws {
        try HashingCheck.require()
        try ExecutorCapture.install()
    }

    /// One transaction: four effects, then a promise.
    private static func commit(_ app: Incarnation, _ disk: Disk, _ story: Story) {
        for (kind, label) in [
            (EffectKind.write, "journal"), (.sync, "journal"), (.write, "database"),
            (.delete, "journal"),
        ] {
            let done: Bool? = app.perform(kind, label) {
                disk.files[label, default: 0] += 1
                return true
            }
            story.tell("\(kind) \(label) \(done == nil ? "refused" : "done")")
        }
    }

    private static func run(
        _ prepare: (Incarnation) -> Void,
        lagPerEffect: Duration = .zero
    ) -> (disk: [String: Int], story: [String], app: Incarnation, simulation: Simulation) {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let disk = Disk()
        let app = simulation.makeProcess(named: "app").launch()
        prepare(app)
        app.start {
            try? await app.sleep(until: at(10))
            commit(app, disk, story)
            simulation.schedule(at: simulation.now) { story.tell("promise") }
            simulation.handOver { story.tell("hand-over") }
            await Task.yield()
            story.tell("after suspending")
        }
        simulation.runUntilQuiescent()
        return (disk.files, story.lines, app, simulation)
    }

    @Test func `effects are numbered, and their list names every kill point`() {
        let (disk, story, app, _) = Self.run { $0.recordsEffects = true }
        #expect(
            app.effects.map(\.description) == [
                "1 write journal at 10 ms", "2 sync journal at 10 ms", "3 write database at 10 ms",
                "4 delete journal at 10 ms",
            ]
        )
        #expect(app.effects.map(\.numberOfKind) == [1, 1, 2, 1])
        #expect(disk == ["journal": 3, "database": 1])
        #expect(story.last == "10 ms after suspending")
    }

    @Test(arguments: 1...4) func `death at the k-th effect fences the process in that call`(k: Int)
    {
        let (disk, story, app, _) = Self.run { $0.killPlan = KillPlan(atEffect: k) }
        let done = disk.values.reduce(0, +)
        #expect(done == k - 1)
        // The zombie runs on to the end of its synchronous code, but nothing of it is real.
        #expect(story.filter { $0.contains("refused") }.count == 4 - done)
        #expect(!story.contains { $0.contains("promise") || $0.contains("hand-over") })
        #expect(!story.contains { $0.contains("after suspending") })
        #expect(!app.isAlive && app.diedAt == at(10))
        #expect(app.causeOfDeath?.hasPrefix("died at effect \(k)") == true)
    }

    @Test(arguments: 1...4) func `death right after the k-th effect lets it happen`(k: Int) {
        let (disk, story, app, _) = Self.run { $0.killPlan = KillPlan(atEffect: k, happens: true) }
        #expect(disk.values.reduce(0, +) == k)
        #expect(!story.contains { $0.contains("promise") })
        #expect(!app.isAlive)
    }

    @Test func `a plan counts the kinds that it names, a hook sees them all`() {
        let (disk, _, _, _) = Self.run { $0.killPlan = KillPlan(atEffect: 2, of: [.write]) }
        #expect(disk == ["journal": 2])
        let seen = Story(Simulation(seed: 1))
        let hooked = Self.run { app in
            app.onEffect = { record in
                seen.tell("\(record.number)")
                return record.kind == .delete ? .dieBefore : .proceed
            }
        }
        #expect(hooked.disk == ["journal": 2, "database": 1])
        #expect(seen.lines == ["0 s 1", "0 s 2", "0 s 3", "0 s 4"])
    }

    @Test func `announcing an effect kills after it when the code calls again`() {
        let simulation = Simulation(seed: 1)
        let app = simulation.makeProcess(named: "app").launch()
        app.killPlan = KillPlan(atEffect: 1, happens: true)
        let story = Story(simulation)
        app.start {
            story.tell("\(app.effect(.send, "POST /a")) \(app.effect(.send, "POST /b"))")
        }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["0 s true false"])
        #expect(!app.isAlive)
    }

    /// Blocked from 10 to 50 ms, it dies at 50 ms inside the call: its other lane and what it had handed
    /// over before go on until then.
    @Test func `a death in a lagging lane comes at its local time`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let app = simulation.makeProcess(named: "app").launch()
        app.killPlan = KillPlan(atEffect: 2)
        app.onDeath { story.tell("dead") }
        app.enter {
            for instant in [30, 49, 51] {
                simulation.schedule(at: at(Int64(instant))) {
                    story.tell("own timer of \(instant)")
                }
            }
        }
        app.start {
            try? await app.sleep(until: at(10))
            story.tell("first \(app.effect(.write))")
            app.block(for: .milliseconds(40))
            simulation.handOver { story.tell("handed over") }
            story.tell("second \(app.effect(.sync))")
            simulation.handOver { story.tell("zombie's") }
            story.tell("third \(app.effect(.sync))")
            await Task.yield()
            story.tell("never")
        }
        simulation.runUntilQuiescent()
        #expect(
            story.lines == [
                "10 ms first true", "50 ms second false", "50 ms third false",
                "30 ms own timer of 30", "49 ms own timer of 49", "50 ms handed over", "50 ms dead",
            ]
        )
        #expect(app.diedAt == at(50))
    }

    @Test func `a zombie that never suspends is stopped with a sentence`() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            try ExecutorCapture.install()
            let simulation = Simulation(seed: 1)
            let app = simulation.makeProcess(named: "app").launch()
            app.killPlan = KillPlan(atEffect: 1)
            app.start {
                while !app.effect(.write, "journal") {}
            }
            simulation.runUntilQuiescent()
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("a loop that never suspends cannot be abandoned"))
    }
}
