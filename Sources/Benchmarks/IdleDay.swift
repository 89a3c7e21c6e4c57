import Foundation
import NetworkModel
import Quantities
import SimulationKernel
import Trace

/// A day on which a phone's link plays a recorded trace and nothing is sent: what waiting costs.
enum IdleDay {
    /// Reads both traces and plays 24 hours; prints seconds for each, and events.
    static func run(down: String, up: String) throws {
        let reading = Stopwatch()
        let link = (down: try trace(down), up: try trace(up))
        let read = reading.seconds
        let watch = Stopwatch()
        let simulation = Simulation(seed: 1)
        let network = AccessNetwork(
            simulation: simulation,
            conditions: NetworkConditions(phases: [
                NetworkPhase(
                    name: "trace",
                    down: LinkDirection(rate: .opportunities(link.down)),
                    up: LinkDirection(rate: .opportunities(link.up)),
                    rtt: .milliseconds(40)
                )
            ]),
            internet: Internet(),
            modems: ModemSet(AlwaysReadyModem()),
            observations: ObservationStream()
        )
        simulation.run(until: .zero + .seconds(86_400))
        print(
            "IDLE-DAY\t\(link.down.count + link.up.count) opportunities\t\(read) s to read\t"
                + "\(watch.seconds) s to play\t\(simulation.handledEvents) events\t"
                + "\(network.path.condition.rawValue)"
        )
    }

    private static func trace(_ path: String) throws -> [Int64] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        return bytes.split(separator: 0x0A)
            .compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
}
