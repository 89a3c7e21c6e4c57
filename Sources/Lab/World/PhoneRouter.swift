import Quantities
import Trace

/// Hands what is observed of a phone to that phone: to its faults, and to what it draws.
///
/// One sink for all of them: a thousand phones that listen to each other would be a million calls.
final class PhoneRouter: ObservationSink {
    private let phones: [(faults: FaultEngine, energy: PhoneEnergy)]
    private let first: Int

    init(_ world: World) {
        phones = world.phones.map { ($0.faults, $0.energy) }
        first = world.phone.device
    }

    func observe(_ record: TraceRecord) {
        // Of a fleet, device 0 is the world itself: no anchor is there, and it draws nothing.
        guard record.device >= first else { return }
        let phone = phones[record.device - first]
        phone.faults.observe(record)
        phone.energy.observe(record)
    }

    /// No anchor is a packet, most of what is observed are packets, and the radio says what they cost.
    var takesPackets: Bool { false }

    func finish(at end: SimulationInstant) {}
}
