import Foundation
import Quantities
import SimulationKernel
import Testing

/// Reads the clocks as app code does.
@Suite struct WorldClockTests {
    init() throws {
        try HashingCheck.require()
        try ExecutorCapture.install()
    }

    @Test func `the wall clock starts where it is told and jumps when it is told`() {
        let simulation = Simulation(seed: 1, wallStart: 1_000_000)
        simulation.host {
            #expect(Date().timeIntervalSince1970 == 1_000_000)
        }
        simulation.run(until: at(1_500))
        simulation.wallOffset = .seconds(-3_600)
        simulation.host {
            #expect(Date().timeIntervalSince1970 == 1_000_000 + 1.5 - 3_600)
            #expect(simulation.wallNanoseconds == 996_401_500_000_000)
        }
        #expect(simulation.wallOffset == .seconds(-3_600))
        #expect(Date().timeIntervalSince1970 > 1_700_000_000)
    }

    /// 2026-01-01T08:00:00Z: 20,454 days after 1970 (56 years of 365 days and 14 leap days: 1972 to 2024),
    /// times 86,400 s, plus 8 h.
    @Test func `the default wall clock starts on New Year's morning of 2026`() {
        #expect(Simulation.defaultWallStart == (56 * 365 + 14) * 86_400 + 8 * 3_600)
    }

    @Test
    func `the suspending clock stands still while the device sleeps, the continuous one does not`()
    {
        let simulation = Simulation(seed: 1)
        let (continuous, suspending) = simulation.host {
            (ContinuousClock.now, SuspendingClock.now)
        }
        simulation.run(until: at(60_000))
        simulation.suspendedTime = .seconds(45)
        simulation.host {
            #expect(ContinuousClock.now - continuous == .seconds(60))
            #expect(SuspendingClock.now - suspending == .seconds(15))
        }
    }

    @Test func `a jump of the wall clock moves no timer`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        simulation.makeProcess(named: "app").launch().start {
            try? await Task.sleep(for: .seconds(10))
            story.tell("woke")
        }
        simulation.schedule(at: at(3_000)) { simulation.wallOffset = .seconds(86_400) }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["10 s woke"])
    }

    @Test func `entropy belongs to the launch that draws it`() {
        func draws(_ seed: UInt64, extra: Bool) -> [String] {
            let simulation = Simulation(seed: seed)
            let story = Story(simulation)
            if extra {
                let noisy = simulation.makeProcess(named: "noisy").launch()
                noisy.start { for _ in 0..<10 { _ = UUID() } }
            }
            let process = simulation.makeProcess(named: "app")
            let first = process.launch()
            first.start { story.tell(UUID().uuidString) }
            simulation.run(until: at(1))
            simulation.kill(first)
            process.launch().start { story.tell("\(UInt64.random(in: 0 ... .max))") }
            simulation.runUntilQuiescent()
            return story.lines
        }
        #expect(draws(1, extra: false) == draws(1, extra: true))
        #expect(draws(1, extra: false) != draws(2, extra: false))
        #expect(Set(draws(1, extra: false)).count == 2)
    }

    @Test func `worlds on several threads do not disturb one another`() async {
        let expected = Self.fingerprint(0)
        await withTaskGroup(of: (Int, UInt64).self) { group in
            for index in 0..<8 {
                group.addTask { (index % 2, Self.fingerprint(UInt64(index % 2))) }
            }
            for await (parity, value) in group where parity == 0 { #expect(value == expected) }
        }
    }

    private static func fingerprint(_ seed: UInt64) -> UInt64 {
        let simulation = Simulation(seed: seed)
        let app = simulation.makeProcess(named: "app").launch()
        for index in 0..<50 {
            app.start {
                for _ in 0..<20 {
                    try? await Task.sleep(for: .milliseconds(Int.random(in: 1...50) + index))
                    simulation.note("date", UInt64(Date().timeIntervalSince1970 * 1_000))
                }
            }
        }
        simulation.runUntilQuiescent()
        return simulation.fingerprint.value
    }
}
