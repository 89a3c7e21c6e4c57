import Quantities
import SimulationKernel
import Testing

private actor Counter {
    private var value = 0

    func add(_ amount: Int, _ app: Incarnation) async -> Int {
        value += amount
        try? await app.sleep(until: at(50))
        return value
    }
}

/// No captured executor, no shims: injected clocks and the public executor API only.
@Suite struct PortableModeTests {
    private static func run() -> (lines: [String], fingerprint: Fingerprint) {
        let simulation = Simulation(seed: 1, mode: .portable)
        let story = Story(simulation)
        let process = simulation.makeProcess(named: "app")
        let app = process.launch()
        app.start {
            try? await app.sleep(until: at(10))
            story.tell("slept")
            let counter = Counter()
            await withTaskGroup(of: Int.self) { group in
                for index in 1...3 { group.addTask { await counter.add(index, app) } }
                for await sum in group { story.tell("sum \(sum)") }
            }
            let value: Int? = try? await app.suspend { resumption in
                simulation.schedule(at: at(70)) { resumption.resume(returning: 9) }
            }
            story.tell("resumed with \(value ?? 0)")
            app.block(for: .milliseconds(5))
            await Task.yield()
            story.tell("after the lag")
            try? await app.sleep(until: at(500))
            story.tell("never")
        }
        simulation.schedule(at: at(100)) {
            simulation.kill(app)
            let next = process.launch()
            next.start {
                try? await next.sleep(until: at(110))
                story.tell("\(next.label)")
            }
        }
        #expect(simulation.runUntilQuiescent() == .quiescent)
        return (story.lines, simulation.fingerprint)
    }

    @Test func `a world runs on the public executor API alone`() {
        let (lines, fingerprint) = Self.run()
        #expect(
            lines == [
                "10 ms slept", "50 ms sum 6", "50 ms sum 6", "50 ms sum 6", "70 ms resumed with 9",
                "75 ms after the lag", "110 ms app#2",
            ]
        )
        let again = Self.run()
        #expect(again.lines == lines && again.fingerprint == fingerprint)
    }

    @Test func `the mode is named`() {
        #expect(LabMode.allCases.map(\.description) == ["captured", "portable"])
        #expect(Simulation(seed: 1, mode: .portable).mode == .portable)
    }
}
