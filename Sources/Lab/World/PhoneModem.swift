import NetworkModel
import PhoneModel
import Quantities
import Trace

/// Joins one of the phone's radios to the network: the two rooms do not know each other.
final class PhoneModem: Modem {
    private let radio: Radio

    init(radio: Radio) {
        self.radio = radio
    }

    func readiness(
        _ direction: PacketDirection,
        size: Int,
        owner: String,
        at instant: SimulationInstant
    ) -> SimulationInstant {
        radio.readiness(direction, size: size, owner: owner, at: instant)
    }

    func crossed(_ packet: PacketCrossing, at instant: SimulationInstant) {
        radio.crossed(
            packet.direction,
            size: Int(packet.size),
            owner: packet.owner,
            at: instant
        )
    }
}
