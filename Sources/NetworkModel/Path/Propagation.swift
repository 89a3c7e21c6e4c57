import Quantities
import SimulationKernel
import Trace

/// The way between the bottleneck and the server: a delay that keeps order.
///
/// Each packet's delay is half the round trip and a uniform draw of jitter, but none arrives before
/// the one that left before it.
final class Propagation: EventReceiver {
    private let direction: PacketDirection
    private unowned let network: AccessNetwork
    private let simulation: Simulation
    private var flying = PacketRing()
    private var lastArrival: Int64 = .min
    private var delay: Int64 = 0
    private var jitter: Int64 = 0
    private var draws: RandomStream

    init(
        _ direction: PacketDirection,
        of network: AccessNetwork,
        simulation: Simulation,
        draws: RandomStream
    ) {
        self.direction = direction
        self.network = network
        self.simulation = simulation
        self.draws = draws
    }

    deinit {
        flying.deallocate()
    }

    /// Sets one way's delay; packets on the way keep theirs.
    func change(delay: Int64, jitter: Int64) {
        self.delay = delay
        self.jitter = jitter
    }

    /// Sends a packet on its way.
    func accept(_ packet: Packet) {
        var packet = packet
        var arrival = simulation.instant.nanoseconds + delay
        if jitter > 0 { arrival += Int64(draws.below(UInt64(jitter) + 1)) }
        arrival = max(arrival, lastArrival)
        lastArrival = arrival
        packet.instant = arrival
        flying.push(packet)
        simulation.schedule(
            at: SimulationInstant(nanoseconds: arrival),
            for: self,
            payload: 0
        )
    }

    /// The oldest packet arrives.
    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        network.arrived(flying.pop(), direction)
    }
}
