import Profiles
import Quantities
import SimulationKernel

/// What one phone of a world is, and what happens on it, all known before the run.
struct PhonePlan: Sendable {
    /// Who it is.
    let identity: PhoneIdentity
    /// When the app is opened for the first time and the workload begins.
    let start: SimulationInstant
    /// What the person does, in order of time.
    let actions: [PlannedAction]
    /// What other apps do with the radios, in order of time.
    let others: [OtherActivity]
}

/// Which phone it is among those of its world.
struct PhoneIdentity: Sendable, Equatable {
    /// The device that observations are reported for.
    ///
    /// The only phone is 0. Those of a fleet are counted from one: 0 is then nobody's, but the world's.
    let device: Int
    /// Stands before the names of its messages and files, and before the keys of its random streams.
    ///
    /// Empty for the only phone.
    let prefix: String

    /// The only phone of a world.
    static let only = PhoneIdentity(device: 0, prefix: "")

    /// The phone of a fleet with that number, counted from one.
    static func member(_ number: Int) -> PhoneIdentity {
        PhoneIdentity(device: number, prefix: "phone\(number)-")
    }
}

extension PhonePlan {
    /// The plans of all phones of a scenario.
    static func all(
        of scenario: Scenario,
        setup: WorldSetup,
        simulation: Simulation,
        server: ServerAddress,
        calm: SimulationInstant,
        end: SimulationInstant
    ) -> [PhonePlan] {
        let fleet = scenario.scenario.fleet
        let identities = fleet.map { (1...$0.clients).map { .member($0) } } ?? [PhoneIdentity.only]
        var nextAction: Int64 = 1
        return identities.map { identity in
            let start = SimulationInstant.zero + (fleet?.start(of: identity, simulation) ?? .zero)
            let others = OtherActivity.plan(
                scenario.conditions.otherApps,
                on: identity,
                until: end,
                simulation: simulation
            )
            var planner = WorkloadPlanner(
                simulation: simulation,
                server: server,
                others: others.filter { $0.end < calm },
                phone: identity,
                start: start,
                firstAction: nextAction
            )
            let actions = planner.plan(scenario.scenario.workload, taps: setup.taps)
            nextAction = planner.nextAction
            return PhonePlan(identity: identity, start: start, actions: actions, others: others)
        }
    }
}

extension FleetConfiguration {
    /// When a phone's workload begins, from the start of the run.
    fileprivate func start(of phone: PhoneIdentity, _ simulation: Simulation) -> Duration {
        guard !starts.isFixed else { return starts.lower }
        var draws = simulation.stream("fleet", entity: "\(phone.device)", purpose: "start")
        return draws.duration(in: starts)
    }
}
