import Quantities
import SimulationKernel
import Testing

/// What happened, with the simulated time.
final class Story: @unchecked Sendable {
    private let simulation: Simulation
    private(set) var lines: [String] = []

    init(_ simulation: Simulation) {
        self.simulation = simulation
    }

    func tell(_ line: String) {
        lines.append("\(simulation.now) \(line)")
    }
}

/// Speaks when it is released: a killed process must not.
final class Canary: Sendable {
    let name: String
    let story: Story

    init(_ name: String, _ story: Story) {
        self.name = name
        self.story = story
    }

    deinit { story.tell("deinit \(name)") }
}

func at(_ milliseconds: Int64) -> SimulationInstant {
    SimulationInstant(nanoseconds: milliseconds * 1_000_000)
}

/// One client of an app: contended, because every caller sleeps inside.
private actor Drainer {
    private let name: String
    private let story: Story
    private var inside = 0

    init(_ name: String, _ story: Story) {
        self.name = name
        self.story = story
    }

    func drain(_ caller: Int) async {
        inside += 1
        story.tell("\(name) \(caller) enters, \(inside) inside")
        Task { self.note(caller) }
        try? await Task.sleep(for: .milliseconds(10))
        inside -= 1
        story.tell("\(name) \(caller) leaves")
    }

    private func note(_ caller: Int) {
        story.tell("\(name) notes \(caller)")
    }
}

@Suite struct ProcessTests {
    init() throws {
        try HashingCheck.require()
        try ExecutorCapture.install()
    }

    private static func launch(_ incarnation: Incarnation, _ story: Story) {
        let canary = Canary(incarnation.label, story)
        let drainer = Drainer(incarnation.label, story)
        for caller in 1...3 {
            incarnation.start {
                defer { story.tell("defer of \(canary.name) \(caller)") }
                for _ in 0..<3 { await drainer.drain(caller) }
            }
        }
    }

    /// The case: two incarnations of one app with contended actors and a kill between them.
    ///
    /// With
    /// ownership by task id the first contender would own an actor's drain job for ever, and the second
    /// launch would hang.
    @Test func `a killed app leaves nothing behind, and its next launch runs to its end`() {
        func run() -> (lines: [String], fingerprint: Fingerprint, stuck: [StuckTask]) {
            let simulation = Simulation(seed: 1)
            let story = Story(simulation)
            let process = simulation.makeProcess(named: "app")
            let first = process.launch()
            Self.launch(first, story)
            simulation.schedule(at: at(15)) {
                simulation.kill(first, cause: "force-quit")
                story.tell("killed")
                Self.launch(process.launch(), story)
            }
            #expect(simulation.runUntilQuiescent() == .quiescent)
            return (story.lines, simulation.fingerprint, simulation.stuckTasks)
        }
        let (lines, fingerprint, stuck) = run()
        let kill = lines.firstIndex(of: "15 ms killed")
        #expect(kill != nil)
        let after = lines.drop { $0 != "15 ms killed" }
        // The dead say nothing: no defer, no deinit, no line.
        #expect(!after.contains { $0.contains("app#1") })
        #expect(!lines.contains { $0.contains("defer of app#1") || $0.contains("deinit app#1") })
        // Three callers, three rounds of 10 ms each, from 15 ms: all leave, all defers run.
        #expect(after.filter { $0.contains("app#2") && $0.contains("leaves") }.count == 9)
        #expect(after.filter { $0.contains("defer of app#2") }.count == 3)
        #expect(after.contains("45 ms deinit app#2"))
        #expect(stuck.isEmpty)
        let again = run()
        #expect(again.lines == lines && again.fingerprint == fingerprint)
    }

    @Test func `an actor shared across launches is reported as such`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let process = simulation.makeProcess(named: "app")
        let shared = Drainer("shared", story)
        let first = process.launch()
        // The call leaves a job of app#1 in the actor's own queue; the kill drops what was to run it.
        first.start {
            await shared.drain(1)
        }
        simulation.schedule(at: .zero) { simulation.kill(first) }
        first.onDeath { story.tell("dead") }
        simulation.run(until: .zero)
        let second = process.launch()
        second.start { await shared.drain(2) }
        #expect(simulation.runUntilQuiescent() == .quiescent)
        if simulation.stuckTasks.isEmpty {
            // The actor was idle at the kill: nobody waits, and then the second launch has gone through.
            #expect(story.lines.contains { $0.contains("shared 2 leaves") })
        }
    }

    @Test func `a task behind an actor that a dead launch holds is named`() throws {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let process = simulation.makeProcess(named: "app")
        let shared = Drainer("shared", story)
        let first = process.launch()
        first.start {
            await shared.drain(1)
            story.tell("never")
        }
        // The first job of app#1 runs on the actor, leaves `note` in its queue and suspends: the drain job
        // is ready, and dies with app#1 before it runs.
        simulation.run { story.lines.isEmpty }
        simulation.kill(first)
        let second = process.launch()
        second.start {
            await shared.drain(2)
            story.tell("never either")
        }
        #expect(simulation.runUntilQuiescent() == .quiescent)
        let stuck = try #require(simulation.stuckTasks.first)
        #expect(simulation.stuckTasks.count == 1)
        #expect(stuck.owner == "app#2" && stuck.deadOwner == "app#1")
        #expect(stuck.description.hasPrefix("actor shared across launches: task "))
        #expect(story.lines == ["0 s shared 1 enters, 1 inside"])
        #expect(second.unfinishedTasks == 1)
    }

    @Test func `ten thousand tasks are abandoned at once, without a word`() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            try ExecutorCapture.install()
            let simulation = Simulation(seed: 1)
            let story = Story(simulation)
            let incarnation = simulation.makeProcess(named: "app").launch()
            for index in 0..<10_000 {
                incarnation.start {
                    let canary = Canary("\(index)", story)
                    defer { print("defer", canary.name) }
                    if index % 2 == 0 {
                        try? await Task.sleep(for: .seconds(60))
                    } else {
                        let _: Int? = try? await incarnation.suspend { _ in }
                    }
                    print("woke", canary.name)
                }
            }
            simulation.run(until: at(1_000))
            simulation.kill(incarnation)
            guard simulation.runUntilQuiescent() == .quiescent, story.lines.isEmpty else {
                fatalError("the dead spoke: \(story.lines.prefix(3))")
            }
        }
        #expect(result?.standardErrorContent.isEmpty == true)
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(!output.contains("woke") && !output.contains("defer"))
    }

    @Test func `death callbacks run in order, after the fence and as the world`() {
        let simulation = Simulation(seed: 1)
        let incarnation = simulation.makeProcess(named: "app").launch()
        var seen: [String] = []
        for index in 1...3 {
            incarnation.onDeath {
                seen.append(
                    "\(index) \(incarnation.isAlive) \(simulation.currentIncarnation == nil)"
                )
            }
        }
        simulation.schedule(at: at(5)) { simulation.kill(incarnation, cause: "memory") }
        simulation.run(until: at(10))
        #expect(seen == ["1 false true", "2 false true", "3 false true"])
        #expect(incarnation.diedAt == at(5))
        #expect(incarnation.causeOfDeath == "memory")
    }

    @Test func `what a process schedules dies with it, what the world schedules does not`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let incarnation = simulation.makeProcess(named: "app").launch()
        incarnation.enter {
            simulation.schedule(at: at(10)) { story.tell("own timer") }
            simulation.scheduleUnowned(at: at(10)) { story.tell("unowned") }
            simulation.asWorld { _ = simulation.schedule(at: at(10)) { story.tell("as world") } }
            simulation.handOver { story.tell("handed over") }
        }
        simulation.schedule(at: at(5)) { simulation.kill(incarnation) }
        simulation.run(until: at(20))
        #expect(story.lines == ["0 s handed over", "10 ms unowned", "10 ms as world"])
    }

    @Test func `an object that a process owns is never released`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        do {
            let incarnation = simulation.makeProcess(named: "app").launch()
            incarnation.own(Canary("owned", story))
            simulation.kill(incarnation)
            simulation.runUntilQuiescent()
        }
        #expect(story.lines.isEmpty)
        #expect(simulation.morgue.count >= 1)
    }
}
