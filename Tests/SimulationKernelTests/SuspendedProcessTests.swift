import Quantities
import SimulationKernel
import Testing

@Suite struct SuspendedProcessTests {
    init() throws {
        try HashingCheck.require()
        try ExecutorCapture.install()
    }

    private static func world() -> (Simulation, Incarnation, Story) {
        let simulation = Simulation(seed: 1)
        return (
            simulation, simulation.makeProcess(named: "app").launch(), Story(simulation)
        )
    }

    // Ticks at 10, 20, 30 ms and so on; suspended from 25 to 95 ms. The tick of 30 ms comes at 95 ms, and
    // each next one is set 10 ms after the one before.
    @Test func `a timer that comes due in suspension fires as it ends, late and once`() {
        let (simulation, app, story) = Self.world()
        app.start {
            for tick in 1...4 {
                try? await Task.sleep(for: .milliseconds(10))
                story.tell("tick \(tick)")
            }
        }
        simulation.schedule(at: at(25)) { simulation.suspend(app) }
        simulation.schedule(at: at(95)) { simulation.resume(app) }
        simulation.runUntilQuiescent()
        #expect(
            story.lines == ["10 ms tick 1", "20 ms tick 2", "95 ms tick 3", "105 ms tick 4"]
        )
    }

    // Five timers are due at 10, 20, 30, 40 and 50 ms, set in another order; all run at 60 ms.
    @Test func `what became due comes in a burst, in the order it became due`() {
        let (simulation, app, story) = Self.world()
        for due in [40, 10, 50, 20, 30] {
            app.start {
                try? await app.sleep(until: at(Int64(due)))
                story.tell("due \(due)")
            }
        }
        simulation.schedule(at: at(5)) { simulation.suspend(app) }
        simulation.schedule(at: at(60)) { simulation.resume(app) }
        simulation.runUntilQuiescent()
        #expect(story.lines == [10, 20, 30, 40, 50].map { "60 ms due \($0)" })
    }

    @Test func `what the world tells a suspended process is heard when it goes on`() {
        let (simulation, app, story) = Self.world()
        let box = ResumptionBox()
        app.start {
            let value = try? await app.suspend { box.resumption = $0 }
            story.tell("heard \(value ?? 0)")
        }
        simulation.schedule(at: at(10)) { simulation.suspend(app) }
        simulation.schedule(at: at(20)) { box.resumption?.resume(returning: 7) }
        simulation.schedule(at: at(50)) { simulation.resume(app) }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["50 ms heard 7"])
    }

    // The first of a group to end cancels the other, whose own timer came due in suspension too.
    @Test func `a sleeper that came due in suspension can still be cancelled`() {
        let (simulation, app, story) = Self.world()
        app.start {
            await withTaskGroup(of: String.self) { group in
                for due in [10, 20] {
                    group.addTask {
                        do {
                            try await app.sleep(until: at(Int64(due)))
                            return "due \(due)"
                        } catch {
                            return "cancelled \(due)"
                        }
                    }
                }
                for await end in group {
                    story.tell(end)
                    group.cancelAll()
                }
            }
        }
        simulation.schedule(at: at(5)) { simulation.suspend(app) }
        simulation.schedule(at: at(30)) { simulation.resume(app) }
        simulation.runUntilQuiescent()
        #expect(story.lines.first == "30 ms due 10")
        #expect(story.lines.count == 2)
        #expect(simulation.pendingEvents == 0)
    }

    @Test func `killed in suspension, it does nothing any more`() {
        let (simulation, app, story) = Self.world()
        let canary = Canary("state", story)
        app.start {
            defer { story.tell("defer of \(canary.name)") }
            try? await Task.sleep(for: .milliseconds(10))
            story.tell("woke")
        }
        simulation.schedule(at: at(5)) { simulation.suspend(app) }
        simulation.schedule(at: at(20)) { simulation.kill(app) }
        simulation.schedule(at: at(30)) { simulation.resume(app) }
        simulation.runUntilQuiescent()
        #expect(story.lines.isEmpty)
        #expect(simulation.pendingEvents == 0)
    }

    @Test func `another process keeps its time`() {
        let (simulation, app, story) = Self.world()
        let other = simulation.makeProcess(named: "other").launch()
        for incarnation in [app, other] {
            incarnation.start {
                try? await Task.sleep(for: .milliseconds(10))
                story.tell(incarnation.label)
            }
        }
        simulation.schedule(at: at(5)) { simulation.suspend(app) }
        simulation.schedule(at: at(40)) { simulation.resume(app) }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["10 ms other#1", "40 ms app#1"])
    }

    // A lane that a blocking call keeps until 30 ms has a job waiting for it.
    @Test func `a job that waits for its lane waits for the process too`() {
        let (simulation, app, story) = Self.world()
        app.start { app.block(for: .milliseconds(30)) }
        app.start { story.tell("second job") }
        simulation.schedule(at: at(30)) {
            // After the call has returned, before the job has its turn.
            simulation.suspend(app)
        }
        simulation.schedule(at: at(70)) { simulation.resume(app) }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["70 ms second job"])
    }

    @Test func `the fingerprint tells a run with a suspension from one without`() {
        func value(_ suspends: Bool) -> UInt64 {
            let (simulation, app, _) = Self.world()
            app.start { try? await Task.sleep(for: .milliseconds(50)) }
            simulation.schedule(at: at(5)) { if suspends { simulation.suspend(app) } }
            simulation.schedule(at: at(20)) { if suspends { simulation.resume(app) } }
            simulation.runUntilQuiescent()
            return simulation.fingerprint.value
        }
        #expect(value(true) == value(true))
        #expect(value(true) != value(false))
    }
}
