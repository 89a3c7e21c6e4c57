import Quantities
import Trace

/// Figures of Wi-Fi with power save (PSM), an awake mode (CAM) and a high-rate mode (CAMH).
package struct PowerSaveParameters: Equatable, Sendable {
    package var psmPower: Power
    package var camPower: Power
    package var camHighPower: Power
    /// From the last packet to PSM.
    package var timer: Duration
    /// Traffic is summed over windows of this length, counted from the beginning.
    package var window: Duration
    /// More bytes than this in a window make it a high-rate one.
    package var threshold: Int64

    /// Makes the figures.
    package init(
        psmPower: Power,
        camPower: Power,
        camHighPower: Power,
        timer: Duration,
        window: Duration,
        threshold: Int64
    ) {
        self.psmPower = psmPower
        self.camPower = camPower
        self.camHighPower = camHighPower
        self.timer = timer
        self.window = window
        self.threshold = threshold
    }

    /// Idle, the empty promotion that marks a wake-up, awake, high rate, and the timer's run.
    package var states: [RadioState] {
        [
            RadioState("PSM", .idle, psmPower),
            RadioState("WAKE", .promotion, camPower),
            RadioState("CAM", .active, camPower),
            RadioState("CAMH", .active, camHighPower),
            RadioState("CAM_TAIL", .tail, camPower),
        ]
    }
}
