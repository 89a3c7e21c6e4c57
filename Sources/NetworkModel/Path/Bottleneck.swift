import Quantities
import SimulationKernel
import Trace

/// The narrowest place of one direction: a queue that drops at its tail, and a rate.
///
/// A packet that finds the link idle is sent at once (or when the radio is ready); else it waits.
/// `queue` packets may wait; the one in transmission is not counted, so a burst leaves queue + 1.
/// When a phase changes the rate in the middle of a packet, what is left of it goes at the new one.
final class Bottleneck: EventReceiver {
    private enum Activity {
        case idle
        case awaitingRadio
        case sending
        /// The rate is zero for ever as far as this phase goes.
        case stalled
    }

    private let direction: PacketDirection
    /// Set once; it owns this, so it outlives it.
    private var joined: Unmanaged<AccessNetwork>?
    private let simulation: Simulation
    private let waiting = PacketRing()
    private var queueLimit: Int
    private var clock: RateClock
    private var activity = Activity.idle
    private var work: Int64 = 0
    private var workStart: Int64 = 0
    private var event = EventHandle.none

    init(
        _ direction: PacketDirection,
        simulation: Simulation,
        link: LinkDirection
    ) {
        self.direction = direction
        self.simulation = simulation
        queueLimit = link.queue
        clock = RateClock(link.rate, phaseStart: simulation.instant)
    }

    /// Tells whose it is, before the first packet.
    func join(_ network: AccessNetwork) {
        joined = .passUnretained(network)
    }

    @inline(__always)
    private func withNetwork<Value>(_ body: (AccessNetwork) -> Value) -> Value {
        guard let joined else { preconditionFailure("a link belongs to a network") }
        return joined._withUnsafeGuaranteedRef(body)
    }

    /// The rate now.
    var rate: BitRate { clock.rate(at: simulation.instant) }

    /// Takes a packet in, or drops it at the tail: then false.
    func accept(_ packet: Packet) -> Bool {
        // The ideal transport hands over one packet at a time and is never dropped.
        guard activity == .idle || waiting.count - 1 < queueLimit || packet.kind == .ideal else {
            return false
        }
        var packet = packet
        packet.instant = simulation.instant.nanoseconds
        waiting.push(packet)
        if activity == .idle { serveNext() }
        return true
    }

    /// Goes on with another phase's figures.
    func change(to link: LinkDirection) {
        let now = simulation.instant.nanoseconds
        queueLimit = link.queue
        let left =
            activity == .sending || activity == .stalled
            ? clock.remainder(of: work, from: workStart, at: now) : 0
        clock = RateClock(link.rate, phaseStart: simulation.instant)
        guard activity == .sending || activity == .stalled else { return }
        simulation.cancel(event)
        send(left)
    }

    /// The world is over: what waits is forgotten.
    func discard() {
        waiting.removeAll()
    }

    /// Drops all that waits, with its cause.
    func flush(_ cause: PacketLoss.Cause) {
        simulation.cancel(event)
        if activity == .sending, waiting.front.kind == .ideal {
            let left = clock.remainder(
                of: work,
                from: workStart,
                at: simulation.instant.nanoseconds
            )
            let unsent = (left + RateClock.workPerByte - 1) / RateClock.workPerByte
            let cut = waiting.front
            withNetwork { $0.crossPart(cut, direction, size: Int(cut.size) - Int(unsent)) }
        }
        activity = .idle
        while waiting.count > 0 {
            let packet = waiting.pop()
            withNetwork { $0.lost(packet, direction, cause) }
        }
    }

    /// Goes on after the radio was awaited or a packet was sent.
    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        if activity == .awaitingRadio {
            send(Int64(waiting.front.size) * RateClock.workPerByte)
            return
        }
        let packet = waiting.pop()
        activity = .idle
        withNetwork { $0.transmitted(packet, direction) }
        if activity == .idle { serveNext() }
    }

    private func serveNext() {
        guard waiting.count > 0 else { return }
        let packet = waiting.front
        let ready =
            packet.size > 0
            ? withNetwork { $0.readiness(of: packet, direction) } : simulation.instant
        if ready > simulation.instant {
            activity = .awaitingRadio
            event = simulation.schedule(at: ready, for: self, payload: 0)
        } else {
            send(Int64(packet.size) * RateClock.workPerByte)
        }
    }

    private func send(_ amount: Int64) {
        work = amount
        workStart = simulation.instant.nanoseconds
        guard
            let end = clock.finish(
                amount,
                from: workStart,
                waitingSince: waiting.front.instant
            )
        else {
            activity = .stalled
            return
        }
        activity = .sending
        event = simulation.schedule(
            at: SimulationInstant(nanoseconds: end),
            for: self,
            payload: 0
        )
    }
}
