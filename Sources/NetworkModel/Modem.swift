import Quantities
import Trace

/// What carries packets over the air: the phone's radio, as the network sees it.
///
/// The lab joins it to the phone's radio model; tests use one that is always ready.
package protocol Modem: AnyObject {
    /// The earliest instant at which a packet that is handed over now may cross the air.
    ///
    /// A sleeping radio answers with the end of its promotion. Never earlier than `instant`.
    func readiness(
        _ direction: PacketDirection,
        size: Int,
        owner: String,
        at instant: SimulationInstant
    ) -> SimulationInstant
    /// A packet crosses the air: its last bit leaves (up) or reaches (down) the phone now.
    func crossed(_ packet: PacketCrossing, at instant: SimulationInstant)
}
