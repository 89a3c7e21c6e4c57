import Quantities

/// Simulated time: a queue of events ordered by (instant, sequence), and the streams of one seed.
package final class Simulation {
    /// The root of all randomness in this world.
    package let seed: UInt64
    /// The instant of the event that is being handled.
    package private(set) var instant: SimulationInstant = .zero

    private var queue: [(at: Int64, sequence: UInt64, action: () -> Void)] = []
    private var cancelled: Set<UInt64> = []
    private var sequence: UInt64 = 0

    /// Begins a world at instant zero.
    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Schedules `action`; traps if `time` is past.
    @discardableResult
    package func schedule(at time: SimulationInstant, _ action: @escaping () -> Void) -> EventHandle
    {
        precondition(time >= instant, "\(time) is past at \(instant)")
        sequence += 1
        queue.append((time.nanoseconds, sequence, action))
        return EventHandle(sequence: sequence)
    }

    /// Schedules an event for `receiver`, without a closure.
    @discardableResult
    package func schedule(
        at time: SimulationInstant,
        for receiver: any EventReceiver,
        payload: UInt64
    ) -> EventHandle {
        schedule(at: time) { receiver.receive(payload, at: time) }
    }

    /// Takes an event back; does nothing if it has run.
    package func cancel(_ handle: EventHandle) {
        cancelled.insert(handle.sequence)
    }

    /// Runs every event up to and including `end`, then stands at `end`.
    package func run(until end: SimulationInstant) {
        while let index = queue.indices.min(by: {
            (queue[$0].at, queue[$0].sequence) < (queue[$1].at, queue[$1].sequence)
        }), queue[index].at <= end.nanoseconds {
            let event = queue.remove(at: index)
            guard cancelled.remove(event.sequence) == nil else { continue }
            instant = SimulationInstant(nanoseconds: event.at)
            event.action()
        }
        instant = end
    }

    /// The stream of one purpose: a new stream moves no other.
    package func stream(_ domain: String, entity: String = "", purpose: String = "") -> RandomStream
    {
        var key: UInt64 = seed ^ 0x6F6E_6562_6172_0001
        for part in [domain, entity, purpose] {
            for byte in part.utf8 { key = (key ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            key = RandomStream.splitMix(&key)
        }
        return RandomStream(key: key)
    }
}
