import PhoneModel
import Quantities

/// A profile that was read, resolved and checked: what the lab builds a world from.
///
/// *Conditions* are what surrounds the phone and name no module; the *scenario part* is the code
/// under test, what the person does, the faults that name a module, and what it may cost. A test of
/// one's own module takes the conditions alone.
package struct Scenario: Sendable {
    /// What `onebar run` calls it: the file's name without extension, such as "commute" or "textbook/F1".
    package var name: String
    /// The file it was read from.
    package var path: String
    /// The comment at the top of the file, line by line: what the profile is about.
    package var summary: [String]
    /// Labels to choose profiles by, such as "pr" or "nightly".
    package var tags: [String]
    /// Phone, radios, network, server, and the faults that name no module.
    package var conditions: ConditionsPart
    /// App, workload, budgets, and the faults that name a module.
    package var scenario: ScenarioPart
    /// Seeds and the time to settle.
    package var run: RunConfiguration
    /// All files this was made of.
    package var closure: ProfileClosure
    /// What is allowed but probably not meant.
    package var warnings: [ProfileProblem]

    /// All faults in the order of the file; `FaultEntry.index` numbers them.
    package var faults: [FaultEntry] {
        (conditions.faults + scenario.faults).sorted { $0.index < $1.index }
    }

    /// How long the run lasts before it settles.
    ///
    /// What `run.for` says; else until the last action, the last timed fault and the last bounded
    /// phase are over, ranges taken at their upper ends.
    package var activeDuration: Duration {
        if let duration = run.duration { return duration }
        let workload =
            scenario.workload.map { $0.schedule.latest + $0.action.length }.max() ?? .zero
        let faults = faults.compactMap(\.latestEnd).max() ?? .zero
        // In a fleet of phones, the workload of the last one begins so late.
        let fleet = scenario.fleet?.latest ?? .zero
        return max(workload + fleet, faults, conditions.network.boundedDuration)
    }
}

/// What surrounds the phone and names no module.
package struct ConditionsPart: Sendable {
    /// The phone.
    package var device: DeviceConfiguration
    /// The phone's radios.
    package var radios: RadioConfiguration
    /// The way to the server, phase after phase.
    package var network: NetworkConfiguration
    /// The other end.
    package var server: ServerPart
    /// Who else is in the phone's memory.
    package var inMemory: BackgroundMemory
    /// What the operating system grants an app out of sight; nil lets it run on.
    package var system: SystemConfiguration?
    /// Faults that name no module, in the order of the file.
    package var faults: [FaultEntry]
    /// What other apps do on the phone's radios, in the order of the file.
    package var otherApps: [OtherTraffic]

    /// Makes a part.
    package init(
        device: DeviceConfiguration,
        radios: RadioConfiguration,
        network: NetworkConfiguration,
        server: ServerPart,
        inMemory: BackgroundMemory = .init(),
        system: SystemConfiguration? = nil,
        faults: [FaultEntry],
        otherApps: [OtherTraffic] = []
    ) {
        self.otherApps = otherApps
        self.device = device
        self.radios = radios
        self.network = network
        self.server = server
        self.inMemory = inMemory
        self.system = system
        self.faults = faults
    }
}

/// What is done on the phone, and what it may cost.
package struct ScenarioPart: Sendable {
    /// Settings of the built-in modules.
    package var app: AppConfiguration
    /// What the person does, in the order of the file.
    package var workload: [WorkloadEntry]
    /// Faults that name a module, in the order of the file.
    package var faults: [FaultEntry]
    /// Limits on cost, in the order of the file.
    package var budgets: [BudgetEntry]
    /// Many clients instead of one phone; nil for the phone.
    package var fleet: FleetConfiguration?

    /// Makes a part.
    package init(
        app: AppConfiguration,
        workload: [WorkloadEntry],
        faults: [FaultEntry],
        budgets: [BudgetEntry],
        fleet: FleetConfiguration? = nil
    ) {
        self.fleet = fleet
        self.app = app
        self.workload = workload
        self.faults = faults
        self.budgets = budgets
    }
}
