import NetworkModel
import Quantities
import SimulationKernel
import Testing

@Suite struct `Fleet of phones` {
    // Each asks once; each keeps its connection for 60 s; two minutes later all are closed, and then an
    // hour holds no event at all.
    @Test func `a fleet's phones are all answered, and idle ones cost no event`() {
        let fleet = FleetProbe(clients: 500)
        fleet.askOnce()
        fleet.run(for: .seconds(40))
        #expect(fleet.finished == 500)
        #expect(fleet.failed == 0)
        #expect(fleet.openConnections == 500)
        fleet.run(for: .seconds(120))
        #expect(fleet.openConnections == 0)
        let before = fleet.simulation.handledEvents
        fleet.run(for: .seconds(3_600))
        #expect(fleet.simulation.handledEvents == before)
        fleet.askOnce()
        fleet.run(for: .seconds(40))
        #expect(fleet.finished == 1_000)
    }

    // A phone's events do not depend on how many others there are: the cost is linear.
    @Test func `events grow with the number of phones and no faster`() {
        let counts = [100, 400].map { clients -> Double in
            let fleet = FleetProbe(clients: clients)
            fleet.askOnce()
            fleet.run(for: .seconds(160))
            return Double(fleet.simulation.handledEvents) / Double(clients)
        }
        #expect(abs(counts[1] / counts[0] - 1) < 0.01)
    }
}
