import Quantities
import Trace

/// Hands what is observed of a phone to the faults of that phone.
///
/// One sink for all of them: a thousand phones that listen to each other would be a million calls.
final class FaultRouter: ObservationSink {
    private let engines: [FaultEngine]
    private let first: Int

    init(_ world: World) {
        engines = world.phones.map(\.faults)
        first = world.phone.device
    }

    func observe(_ record: TraceRecord) {
        // Of a fleet, device 0 is the world itself: no anchor is there.
        guard record.device >= first else { return }
        engines[record.device - first].observe(record)
    }

    /// No anchor is a packet, and most of what is observed are packets.
    func observe(_ packet: PacketCrossing, at instant: SimulationInstant, device: Int) {}

    func finish(at end: SimulationInstant) {}
}
