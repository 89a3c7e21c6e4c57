import Quantities
import SimulationKernel
import Testing

@Suite struct BudgetTests {
    /// An event that schedules itself at the same instant for ever.
    private static func spin(_ simulation: Simulation) {
        simulation.schedule(at: simulation.instant) { spin(simulation) }
    }

    /// An event that schedules itself a nanosecond later for ever.
    private static func tick(_ simulation: Simulation) {
        simulation.schedule(at: simulation.instant + .nanoseconds(1)) { tick(simulation) }
    }

    @Test func `time that stands still is a livelock, with the instant`() {
        let simulation = Simulation(seed: 1)
        simulation.budget = EventBudget(sameInstant: 1_000)
        let instant = SimulationInstant(nanoseconds: 5_000_000_000)
        simulation.schedule(at: instant) { Self.spin(simulation) }
        let outcome = simulation.run(until: SimulationInstant(nanoseconds: 60_000_000_000))
        #expect(
            outcome.fault
                == .livelock(events: 1_000, at: instant, owner: "the world")
        )
        #expect(outcome.fault?.description.contains("5 s") == true)
        // A broken world stays where it broke.
        #expect(simulation.instant == instant)
    }

    @Test func `the total budget ends a world that never stops`() {
        let simulation = Simulation(seed: 1)
        simulation.budget = EventBudget(total: 500)
        Self.tick(simulation)
        let outcome = simulation.runUntilQuiescent()
        #expect(
            outcome
                == .broken(.eventBudget(limit: 500, at: SimulationInstant(nanoseconds: 500)))
        )
        #expect(simulation.handledEvents == 500)
    }

    @Test func `a busy world within its budget is no livelock`() {
        let simulation = Simulation(seed: 1)
        simulation.budget = EventBudget(sameInstant: 1_000)
        var count = 0
        for instant in 1...10 {
            for _ in 0..<900 {
                simulation.schedule(at: SimulationInstant(nanoseconds: Int64(instant))) {
                    count += 1
                }
            }
        }
        #expect(simulation.runUntilQuiescent() == .quiescent)
        #expect(count == 9_000)
    }
}
