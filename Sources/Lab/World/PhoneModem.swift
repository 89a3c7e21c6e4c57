import NetworkModel
import PhoneModel
import Quantities
import Trace

/// Joins one of the phone's radios to the network: the two rooms do not know each other.
final class PhoneModem: Modem {
    /// How long a packet holds the phone awake (assumption): a round trip on a slow path, so that a
    /// request and its answer are one wake-up.
    static let hold = Duration.seconds(3)

    private let radio: Radio
    private let sleep: DeviceSleep

    init(radio: Radio, sleep: DeviceSleep) {
        self.radio = radio
        self.sleep = sleep
    }

    func readiness(
        _ direction: PacketDirection,
        size: Int,
        owner: String,
        at instant: SimulationInstant
    ) -> SimulationInstant {
        // The app's code runs to send it: an alarm, a timer or a job has woken the phone.
        if direction == .up { sleep.wake(.timer, for: Self.hold) }
        return radio.readiness(direction, size: size, owner: owner, at: instant)
    }

    func crossed(_ packet: PacketCrossing, at instant: SimulationInstant) {
        sleep.wake(packet.direction == .up ? .timer : .network, for: Self.hold)
        radio.crossed(
            packet.direction,
            size: Int(packet.size),
            owner: packet.owner,
            at: instant
        )
    }
}
