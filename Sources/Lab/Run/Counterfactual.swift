import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Trace

/// The same seed without the app: what the radios would have drawn anyway.
///
/// What the run draws beyond it is the app's marginal cost: a rider pays what it adds to another's
/// wake-up, and a wake-up that the app causes while nobody else is there is its own.
extension SeedRunner {
    /// The radios' energy without the app, idle too.
    ///
    /// Cost: a closed form without other apps, else a world that plays nothing but them.
    func counterfactualRadioEnergy(seed: UInt64) -> Energy {
        let end = setup.calm(of: scenario) + scenario.run.settle
        guard !scenario.conditions.otherApps.isEmpty else { return idleEnergy(over: end) }
        var options = Options()
        options.playsApp = false
        let world = World(
            scenario: scenario,
            seed: seed,
            mode: .current,
            options: options,
            setup: setup
        )
        let sum = RadioEnergySum()
        world.observations.add(sum)
        _ = world.play()
        world.retire()
        return sum.energy
    }

    private func idleEnergy(over span: Duration) -> Energy {
        let radios = scenario.conditions.radios
        let one = [radios.cellular, radios.wifi].reduce(.zero) { sum, radio in
            sum + (radio.states.first?.draw.energy(first: span.wholeNanoseconds) ?? .zero)
        }
        let phones = scenario.scenario.fleet?.clients ?? 1
        return (0..<phones).reduce(.zero) { sum, _ in sum + one }
    }
}

/// Adds up what radios draw.
private final class RadioEnergySum: ObservationSink {
    private(set) var energy = Energy.zero

    func observe(_ record: TraceRecord) {
        if case .radioInterval(let interval) = record.observation { energy += interval.energy }
    }

    func finish(at end: SimulationInstant) {}
}
