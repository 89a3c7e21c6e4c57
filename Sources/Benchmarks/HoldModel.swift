import Quantities
import SimulationKernel

/// w1: N pending events; each one that runs schedules another at now + Exp(1).
final class HoldModel: EventReceiver {
    private let simulation: Simulation
    private let table = ExponentialTable()
    private var next = 0
    private var left: Int
    private(set) var checksum: UInt64 = 0

    init(_ simulation: Simulation, operations: Int) {
        self.simulation = simulation
        left = operations
    }

    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        checksum &+= payload
        left -= 1
        if left == 0 { simulation.stop() }
        let time = instant.nanoseconds + table.nanoseconds[next & ExponentialTable.mask]
        next += 1
        simulation.schedule(
            at: SimulationInstant(nanoseconds: time),
            for: self,
            payload: payload
        )
    }

    static func run(pending: Int, operations: Int) {
        let simulation = Simulation(seed: 1)
        let model = HoldModel(simulation, operations: operations)
        let setUp = Stopwatch()
        var generator = PeerGenerator(seed: 7)
        for index in 0..<pending {
            let time = SimulationInstant(nanoseconds: Int64(generator.exponential() * 1e9))
            simulation.schedule(at: time, for: model, payload: UInt64(index))
        }
        let setUpTime = setUp.seconds
        let watch = Stopwatch()
        simulation.runUntilQuiescent()
        ResultLine.print(
            "W1",
            "onebar receiver events",
            pending,
            operations,
            setUp: setUpTime,
            wall: watch.seconds,
            end: simulation.instant
        )
    }
}
