import Quantities

/// What a radio state draws: a base, and perhaps pulses on top, as in DRX cycles and paging.
package struct PowerDraw: Equatable, Sendable {
    /// Drawn between pulses.
    package var base: Power
    /// Pulses, or nil for a flat draw.
    package var pulse: Pulse?

    /// A periodic pulse.
    package struct Pulse: Equatable, Sendable {
        /// From the beginning of one pulse to that of the next.
        package var period: Duration
        /// How long each lasts.
        package var on: Duration
        /// Drawn while it lasts, base included.
        package var power: Power
        /// How partial periods are charged.
        package var charge: Charge

        /// How partial periods are charged.
        package enum Charge: String, Sendable, CaseIterable {
            /// At the mean of a period: DRX, whose phase nobody sees.
            case mean
            /// Pulse first, then base, counted from the beginning of the state: paging.
            case each
        }

        /// Makes a pulse; traps unless zero <= on <= period and period > 0.
        package init(period: Duration, on: Duration, power: Power, charge: Charge) {
            precondition(period > .zero && on >= .zero && on <= period, "\(on) of \(period)")
            self.period = period
            self.on = on
            self.power = power
            self.charge = charge
        }
    }

    /// Makes a draw.
    package init(_ base: Power, pulse: Pulse? = nil) {
        self.base = base
        self.pulse = pulse
    }

    /// Energy from the beginning of the state on; sums of parts are exact by differences of this.
    ///
    /// Mean charge: t x (on x P + (period - on) x base) / period, rounded down to a femtojoule.
    package func energy(first nanoseconds: Int64) -> Energy {
        let flat = Int128(base.microwatts)
        guard let pulse else { return Energy(femtojoules: flat * Int128(nanoseconds)) }
        let period = Int128(pulse.period.wholeNanoseconds)
        let on = Int128(pulse.on.wholeNanoseconds)
        let high = Int128(pulse.power.microwatts)
        let whole = on * high + (period - on) * flat
        let time = Int128(nanoseconds)
        switch pulse.charge {
        case .mean:
            return Energy(femtojoules: time * whole / period)
        case .each:
            let rest = time % period
            let pulsed = min(rest, on)
            return Energy(
                femtojoules: time / period * whole + pulsed * high + (rest - pulsed) * flat
            )
        }
    }

    /// The mean power over whole periods, rounded down to a microwatt.
    package var mean: Power {
        guard let pulse else { return base }
        return Power(
            microwatts: Int64(
                energy(first: pulse.period.wholeNanoseconds).femtojoules
                    / Int128(pulse.period.wholeNanoseconds)
            )
        )
    }
}
