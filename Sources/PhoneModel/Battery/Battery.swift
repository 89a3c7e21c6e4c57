import Quantities
import SimulationKernel
import Trace

/// What the phone's battery has given, and to whom.
///
/// Exact: amounts are added as integers. The radio keeps its own ledger and its own reports; what it
/// draws is handed over here so that the battery can run empty.
package final class Battery {
    /// What a full battery holds.
    package let capacity: BatteryCapacity
    /// What it held as the run began.
    package let initial: Energy
    /// Called once, when nothing is left.
    package var onEmpty: (() -> Void)?

    private struct Load {
        var consumer: EnergyEntry.Consumer
        var owner: String
        var power: Power
        var since: SimulationInstant
    }

    private let simulation: Simulation
    private let observations: ObservationStream
    private let device: Int
    private var drawnByConsumer: [EnergyEntry.Consumer: Energy] = [:]
    private var drawnByRadio = Energy.zero
    private var loads: [Load] = []
    private var isEmpty = false

    /// Makes a battery that is charged to `level`.
    package init(
        capacity: BatteryCapacity,
        level: Probability = .always,
        simulation: Simulation,
        observations: ObservationStream,
        device: Int = 0
    ) {
        self.capacity = capacity
        let full = capacity.energy.femtojoules
        initial = Energy(
            femtojoules: full / Int128(level.denominator) * Int128(level.numerator)
                + full % Int128(level.denominator) * Int128(level.numerator)
                / Int128(level.denominator)
        )
        self.simulation = simulation
        self.observations = observations
        self.device = device
    }

    /// All that was drawn, by the radio too.
    package var drawn: Energy {
        EnergyEntry.Consumer.allCases.reduce(drawnByRadio) { $0 + drawn(by: $1) }
    }

    /// What a part of the phone other than the radio has drawn.
    package func drawn(by consumer: EnergyEntry.Consumer) -> Energy {
        drawnByConsumer[consumer] ?? .zero
    }

    /// What the radio has drawn.
    package var radio: Energy { drawnByRadio }

    /// What is left; never below zero.
    package var remaining: Energy {
        max(.zero, initial - drawn)
    }

    /// The share of a full battery that `amount` is, in percent, for reports.
    package func percentage(of amount: Energy) -> Double {
        capacity.percentage(of: amount)
    }

    /// Draws energy outside the radio, and reports it.
    package func draw(_ energy: Energy, by consumer: EnergyEntry.Consumer, owner: String) {
        precondition(energy >= .zero, "nobody charges the battery with \(energy)")
        guard energy > .zero else { return }
        drawnByConsumer[consumer, default: .zero] += energy
        observations.report(
            .energyDrawn(EnergyEntry(consumer: consumer, energy: energy, owner: owner)),
            at: simulation.instant,
            device: device
        )
        checkEmpty()
    }

    /// Takes what the radio drew; its intervals are reported by the radio.
    package func drawForRadio(_ energy: Energy) {
        precondition(energy >= .zero, "nobody charges the battery with \(energy)")
        drawnByRadio += energy
        checkEmpty()
    }

    /// From now on `owner` draws `power` through `consumer` until it is set again; zero ends it.
    ///
    /// What was drawn since the last setting is reported as one entry.
    package func setLoad(_ power: Power, of consumer: EnergyEntry.Consumer, owner: String) {
        precondition(power >= .zero, "a load of \(power) charges the battery")
        let now = simulation.instant
        if let index = loads.firstIndex(where: { $0.consumer == consumer && $0.owner == owner }) {
            let old = loads[index]
            if power == .zero {
                loads.remove(at: index)
            } else {
                loads[index].power = power
                loads[index].since = now
            }
            draw(old.power.energy(over: now - old.since), by: consumer, owner: owner)
        } else if power > .zero {
            loads.append(Load(consumer: consumer, owner: owner, power: power, since: now))
        }
    }

    /// Draws what lasting loads have used up to now: before a reading, and as the run ends.
    package func settle() {
        for load in loads { setLoad(load.power, of: load.consumer, owner: load.owner) }
    }

    private func checkEmpty() {
        guard !isEmpty, drawn >= initial else { return }
        isEmpty = true
        onEmpty?()
    }
}
