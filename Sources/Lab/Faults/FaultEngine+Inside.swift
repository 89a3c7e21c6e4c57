import PhoneModel
import Profiles
import SimulationKernel
import Trace

extension FaultEngine {
    /// Watches a launch for the calls that faults are placed in; costs nothing if there are none.
    func watch(_ incarnation: Incarnation) {
        var armed = entries.compactMap { entry -> ArmedPlace? in
            guard case .inside(let place) = entry.placement, place.launch == incarnation.number
            else { return nil }
            return ArmedPlace(entry: entry, place: place)
        }
        guard !armed.isEmpty else { return }
        incarnation.onEffect = { [unowned self] record in
            var decision = EffectDecision.proceed
            for index in armed.indices {
                let place = armed[index].place
                guard place.counts(record.kind.description, label: record.label) else { continue }
                armed[index].seen += 1
                guard armed[index].seen == place.nth, case .proceed = decision, !isHealed
                else { continue }
                decision = strike(armed[index].entry, place, record)
            }
            return decision
        }
    }

    private func strike(
        _ entry: FaultEntry,
        _ place: EffectPlace,
        _ record: EffectRecord
    ) -> EffectDecision {
        let detail = "\(place.side.rawValue) \(record.kind) of \(record.label)"
        world.schedule(at: world.simulation.now) { [self] in note(entry, detail) }
        world.phone.expectDeath(
            of: entry.kind.exitCause,
            relaunchAfter: entry.effect.duration
        )
        return place.side == .before ? .dieBefore : .dieAfter
    }
}

/// A fault that waits for its call, and how many of them it has seen.
private struct ArmedPlace {
    let entry: FaultEntry
    let place: EffectPlace
    var seen = 0
}
