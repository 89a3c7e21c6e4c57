import Quantities
import Trace

/// Figures of a 3G radio whose changes of channel are told by buffers alone, as in EnergyBox.
package struct BufferedChannelParameters: Equatable, Sendable {
    package var idlePower: Power
    package var fachPower: Power
    package var dchPower: Power
    /// From the last packet on DCH to FACH.
    package var dchTimer: Duration
    /// From there, or the last packet on FACH, to idle.
    package var fachTimer: Duration
    /// An uplink packet above this goes from idle to DCH rather than FACH.
    package var uplinkFromIdle: Int64
    package var downlinkFromIdle: Int64
    /// Buffered bytes above this go from FACH to DCH.
    package var uplinkFromFach: Int64
    package var downlinkFromFach: Int64
    /// In which one buffered uplink byte is gone.
    package var uplinkDrainPerByte: Duration
    /// On top of that.
    package var uplinkDrainConstant: Duration
    /// After so long without a downlink packet its buffer is empty.
    package var downlinkDrain: Duration
    /// A packet from idle waits this long for FACH.
    package var idleToFach: Duration
    /// A packet from idle waits this long for DCH.
    package var idleToDch: Duration
    /// A packet on FACH waits this long for DCH.
    package var fachToDch: Duration

    /// Makes the figures.
    package init(
        idlePower: Power,
        fachPower: Power,
        dchPower: Power,
        dchTimer: Duration,
        fachTimer: Duration,
        uplinkFromIdle: Int64,
        downlinkFromIdle: Int64,
        uplinkFromFach: Int64,
        downlinkFromFach: Int64,
        uplinkDrainPerByte: Duration,
        uplinkDrainConstant: Duration,
        downlinkDrain: Duration,
        idleToFach: Duration,
        idleToDch: Duration,
        fachToDch: Duration
    ) {
        self.idlePower = idlePower
        self.fachPower = fachPower
        self.dchPower = dchPower
        self.dchTimer = dchTimer
        self.fachTimer = fachTimer
        self.uplinkFromIdle = uplinkFromIdle
        self.downlinkFromIdle = downlinkFromIdle
        self.uplinkFromFach = uplinkFromFach
        self.downlinkFromFach = downlinkFromFach
        self.uplinkDrainPerByte = uplinkDrainPerByte
        self.uplinkDrainConstant = uplinkDrainConstant
        self.downlinkDrain = downlinkDrain
        self.idleToFach = idleToFach
        self.idleToDch = idleToDch
        self.fachToDch = fachToDch
    }

    /// Tails are told from activity by the last packet, as the tool does not name them apart.
    package var states: [RadioState] {
        [
            RadioState("IDLE", .idle, idlePower),
            RadioState("PROMOTION", .promotion, idlePower),
            RadioState("FACH", .active, fachPower),
            RadioState("DCH", .active, dchPower),
            RadioState("FACH_TAIL", .tail, fachPower),
            RadioState("DCH_TAIL", .tail, dchPower),
        ]
    }
}
