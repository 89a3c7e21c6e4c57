import Quantities
import SimulationKernel
import Trace

/// Many phones, each sending bulk to a server over a link of its own: what packets cost to simulate.
///
/// The workload w3 of the speed table: 1 Mbit/s, 50 ms each way, one TCP connection a phone that
/// starts within the first second.
package final class BulkTransferProbe: EventReceiver {
    /// The world that it runs in.
    package let simulation: Simulation
    /// Bytes that have arrived in order, all phones together.
    package private(set) var bytesReceived: Int64 = 0
    private let networks: [AccessNetwork]
    private var exchanges: [TCPExchange] = []
    private let bytesEach: Int64

    /// Builds the phones; nothing has been sent.
    package init(clients: Int, bytesEach: Int64, seed: UInt64 = 1) {
        let simulation = Simulation(seed: seed)
        let internet = Internet()
        let link = LinkDirection(rate: .megabitsPerSecond(1))
        let conditions = NetworkConditions(phases: [
            NetworkPhase(name: "own link", down: link, up: link, rtt: .milliseconds(100))
        ])
        let modems = ModemSet(AlwaysReadyModem())
        let observations = ObservationStream()
        networks = (0..<clients).map { number in
            AccessNetwork(
                simulation: simulation,
                conditions: conditions,
                internet: internet,
                modems: modems,
                observations: observations,
                device: number
            )
        }
        self.simulation = simulation
        self.bytesEach = bytesEach
        var draws = simulation.stream("probe", purpose: "start")
        for number in 0..<clients {
            let start = SimulationInstant(nanoseconds: draws.integer(in: 0...999_999_999))
            simulation.schedule(at: start, for: self, payload: UInt64(number))
        }
    }

    /// Runs until every byte has arrived, or for `limit`.
    package func run(limit: Duration = .seconds(600)) {
        let end = SimulationInstant.zero + limit
        let wanted = Int64(networks.count) * bytesEach
        while bytesReceived < wanted, simulation.instant < end {
            simulation.run(until: min(end, simulation.instant + .seconds(1)))
            bytesReceived = exchanges.reduce(0) { $0 + $1.requestReceived }
        }
    }

    /// A phone starts.
    package func receive(_ payload: UInt64, at instant: SimulationInstant) {
        let exchange = TCPExchange(
            on: networks[Int(payload)],
            settings: TCPSettings(),
            requestBytes: bytesEach,
            responseBytes: 1
        )
        exchanges.append(exchange)
        exchange.begin()
    }
}
