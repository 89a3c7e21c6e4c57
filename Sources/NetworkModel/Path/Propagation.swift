import Quantities
import SimulationKernel
import Trace

/// The way between the bottleneck and the server: a delay that keeps order unless told otherwise.
///
/// Each packet's delay is this way's part of the round trip and a uniform draw of jitter, but none arrives before
/// the one that left before it. With `reorders` it does, as in netem without a rate; of two that
/// arrive at one instant, the one that left first is first.
final class Propagation: EventReceiver {
    private let direction: PacketDirection
    /// Set once; it owns this, so it outlives it.
    private var joined: Unmanaged<AccessNetwork>?
    private let simulation: Simulation
    private let flying = PacketRing()
    private var lastArrival: Int64 = .min
    private var delay: Int64 = 0
    private var jitter: Int64 = 0
    private var reorders = false
    private var event = EventHandle.none
    private var draws: RandomStream

    init(
        _ direction: PacketDirection,
        simulation: Simulation,
        draws: RandomStream
    ) {
        self.direction = direction
        self.simulation = simulation
        self.draws = draws
    }

    /// Tells whose it is, before the first packet.
    func join(_ network: AccessNetwork) {
        joined = .passUnretained(network)
    }

    /// The world is over: what flies never arrives.
    func discard() {
        flying.removeAll()
    }

    @inline(__always)
    private func withNetwork<Value>(_ body: (AccessNetwork) -> Value) -> Value {
        guard let joined else { preconditionFailure("a link belongs to a network") }
        return joined._withUnsafeGuaranteedRef(body)
    }

    /// Sets one way's delay; packets on the way keep theirs.
    func change(delay: Int64, jitter: Int64, reorders: Bool) {
        self.delay = delay
        self.jitter = jitter
        self.reorders = reorders
    }

    /// Sends a packet on its way.
    func accept(_ packet: Packet) {
        var packet = packet
        var arrival = simulation.instant.nanoseconds + delay
        if jitter > 0 { arrival += Int64(draws.below(UInt64(jitter) + 1)) }
        if reorders, jitter > 0, flying.count > 0 { return overtake(packet, at: arrival) }
        arrival = max(arrival, lastArrival)
        lastArrival = arrival
        packet.instant = arrival
        flying.push(packet)
        if flying.count == 1 { awaitFront() }
    }

    /// The oldest packet arrives; one event stands for all that fly.
    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        let packet = flying.pop()
        if flying.count > 0 { awaitFront() }
        withNetwork { $0.arrived(packet, direction) }
    }

    /// Takes the packet in by its arrival; O(packets that it overtakes).
    private func overtake(_ packet: Packet, at arrival: Int64) {
        var packet = packet
        packet.instant = arrival
        lastArrival = max(lastArrival, arrival)
        guard flying.insertByInstant(packet) else { return }
        simulation.cancel(event)
        awaitFront()
    }

    private func awaitFront() {
        event = simulation.schedule(
            at: SimulationInstant(nanoseconds: flying.front.instant),
            for: self,
            payload: 0
        )
    }
}
