import Quantities
import SimulationKernel
import Testing

@Suite struct LagTests {
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

    @Test func `a blocking call moves every clock of its lane at once`() {
        let (simulation, app, story) = Self.world()
        app.start {
            let started = ContinuousClock.now
            app.block(for: .milliseconds(40))
            story.tell("instant \(simulation.instant), waited \(ContinuousClock.now - started)")
        }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["40 ms instant 0 s, waited 0.04 seconds"])
        #expect(app.lag(of: .background) == .milliseconds(40))
        #expect(app.lag(of: .main) == .zero)
    }

    @Test func `the next jobs of a lane wait for it, in their order`() {
        let (simulation, app, story) = Self.world()
        for name in ["a", "b", "c"] {
            app.start {
                story.tell("\(name) begins")
                app.block(for: .milliseconds(10))
                story.tell("\(name) ends")
            }
        }
        // Another process is not held up.
        let other = simulation.makeProcess(named: "other").launch()
        other.start { story.tell("other") }
        simulation.runUntilQuiescent()
        #expect(
            story.lines == [
                "0 s a begins", "10 ms a ends", "0 s other", "10 ms b begins", "20 ms b ends",
                "20 ms c begins", "30 ms c ends",
            ]
        )
    }

    @Test func `a timer that is due while its lane is blocked fires when the lane is free`() {
        let (simulation, app, story) = Self.world()
        app.start {
            try? await app.sleep(until: at(5))
            story.tell("timer")
        }
        app.start {
            try? await Task.sleep(for: .milliseconds(6))
            story.tell("Task.sleep")
        }
        app.start { app.block(for: .milliseconds(50)) }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["50 ms timer", "50 ms Task.sleep"])
    }

    @Test func `deadlines and stamps count from local time`() {
        let (simulation, app, story) = Self.world()
        app.start {
            app.block(for: .milliseconds(30))
            simulation.handOver {
                story.tell("sent, as \(simulation.currentIncarnation?.label ?? "the world")")
            }
            try? await Task.sleep(for: .milliseconds(20))
            story.tell("woke")
        }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["30 ms sent, as the world", "50 ms woke"])
    }

    @Test func `what a task starts in a lagging job begins at its local time`() {
        let (simulation, app, story) = Self.world()
        app.start {
            app.block(for: .milliseconds(25))
            Task { story.tell("child") }
            await Task.yield()
            story.tell("after the yield")
        }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["25 ms child", "25 ms after the yield"])
    }

    /// A commit takes from 10 ms to 110 ms; the process is killed at 60 ms.
    ///
    /// What was stamped before the
    /// kill has happened, what was stamped after it has not, although its code ran at 10 ms already.
    @Test(arguments: [false, true]) func `a kill undoes what a long commit had stamped after it`(
        isKilled: Bool
    ) {
        let (simulation, app, story) = Self.world()
        app.start {
            try? await app.sleep(until: at(10))
            simulation.handOver { story.tell("journal written") }
            app.block(for: .milliseconds(40))
            simulation.handOver { story.tell("journal synced") }
            app.block(for: .milliseconds(60))
            simulation.handOver { story.tell("committed") }
            simulation.schedule(at: simulation.now) { story.tell("promised") }
            await Task.yield()
            story.tell("goes on")
        }
        if isKilled { simulation.schedule(at: at(60)) { simulation.kill(app) } }
        simulation.run(until: at(1_000))
        let before = ["10 ms journal written", "50 ms journal synced"]
        let after = ["110 ms committed", "110 ms promised", "110 ms goes on"]
        #expect(story.lines == (isKilled ? before : before + after))
    }

    @Test func `code that sleeps its thread blocks its lane, and is counted`() {
        let (simulation, app, story) = Self.world()
        app.start {
            blockThread(microseconds: 2_500)
            story.tell("slept")
        }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["2.5 ms slept"])
        #expect(simulation.interposedCalls.sleeps == 1)
    }

    @Test func `a resumption by code that runs ahead arrives at its local time`() {
        let (simulation, app, story) = Self.world()
        let other = simulation.makeProcess(named: "other").launch()
        let box = ResumptionBox()
        other.start {
            let value = try? await other.suspend { box.resumption = $0 }
            story.tell("other got \(value ?? 0)")
        }
        app.start {
            app.block(for: .milliseconds(70))
            box.resumption?.resume(returning: 42)
        }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["70 ms other got 42"])
    }
}

/// Carries a resumption from one process to another.
final class ResumptionBox: @unchecked Sendable {
    var resumption: Resumption<Int>?
}
