import Quantities
import Trace

/// Figures of a 3G radio with a dedicated channel (DCH) and a shared one (FACH).
package struct SharedChannelParameters: Equatable, Sendable {
    package var idlePower: Power
    package var fachPower: Power
    package var dchPower: Power
    /// Idle to DCH.
    package var idlePromotion: Promotion
    /// FACH to DCH.
    package var fachPromotion: Promotion
    /// From the last restart of the DCH timer to FACH.
    package var dchTimer: Duration
    /// From the last packet on FACH to idle.
    package var fachTimer: Duration
    /// An uplink queue above this asks for DCH.
    package var uplinkThreshold: Int64
    /// A downlink queue above this asks for DCH.
    package var downlinkThreshold: Int64
    /// How long an uplink queue takes to drain.
    package var uplinkDrain: QueueDrain
    /// How long a downlink queue takes to drain.
    package var downlinkDrain: QueueDrain
    /// At least so many bytes within `resetWindow` restart the DCH timer.
    package var resetSize: Int64
    package var resetWindow: Duration

    /// A promotion of uncertain length, as an observer outside of the phone infers it.
    package struct Promotion: Equatable, Sendable {
        package var least: Duration
        /// What a simulation uses.
        package var mean: Duration
        package var most: Duration
        package var power: Power

        /// Makes a promotion.
        package init(least: Duration, mean: Duration, most: Duration, power: Power) {
            self.least = least
            self.mean = mean
            self.most = most
            self.power = power
        }
    }

    /// quadratic x q^2 + linear x q + constant, for a queue of q bytes.
    package struct QueueDrain: Equatable, Sendable {
        /// For each squared byte.
        package var quadratic: Duration
        /// For each byte.
        package var linear: Duration
        package var constant: Duration

        /// Makes a law.
        package init(quadratic: Duration, linear: Duration, constant: Duration) {
            self.quadratic = quadratic
            self.linear = linear
            self.constant = constant
        }

        func span(of queue: Int64) -> RadioTime {
            RadioTime(
                nanoseconds: quadratic.wholeNanoseconds * queue * queue
                    + linear.wholeNanoseconds * queue + constant.wholeNanoseconds
            )
        }
    }

    /// Makes the figures.
    package init(
        idlePower: Power,
        fachPower: Power,
        dchPower: Power,
        idlePromotion: Promotion,
        fachPromotion: Promotion,
        dchTimer: Duration,
        fachTimer: Duration,
        uplinkThreshold: Int64,
        downlinkThreshold: Int64,
        uplinkDrain: QueueDrain,
        downlinkDrain: QueueDrain,
        resetSize: Int64,
        resetWindow: Duration
    ) {
        self.idlePower = idlePower
        self.fachPower = fachPower
        self.dchPower = dchPower
        self.idlePromotion = idlePromotion
        self.fachPromotion = fachPromotion
        self.dchTimer = dchTimer
        self.fachTimer = fachTimer
        self.uplinkThreshold = uplinkThreshold
        self.downlinkThreshold = downlinkThreshold
        self.uplinkDrain = uplinkDrain
        self.downlinkDrain = downlinkDrain
        self.resetSize = resetSize
        self.resetWindow = resetWindow
    }

    /// Names as the published tools print them.
    package var states: [RadioState] {
        [
            RadioState("STATE_IDLE", .idle, idlePower),
            RadioState("PROMO_IDLE_DCH", .promotion, idlePromotion.power),
            RadioState("PROMO_FACH_DCH", .promotion, fachPromotion.power),
            RadioState("STATE_DCH", .active, dchPower),
            RadioState("STATE_FACH", .active, fachPower),
            RadioState("TAIL_DCH", .tail, dchPower),
            RadioState("TAIL_FACH", .tail, fachPower),
        ]
    }
}
