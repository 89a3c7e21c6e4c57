import Quantities
import Trace

/// What a network has instead of radios when its world is over: nothing crosses any more.
final class NoModem: Modem, Sendable {
    static let shared = NoModem()

    func readiness(
        _ direction: PacketDirection,
        size: Int,
        owner: String,
        at instant: SimulationInstant
    ) -> SimulationInstant { instant }

    func crossed(_ packet: PacketCrossing, at instant: SimulationInstant) {}
}
