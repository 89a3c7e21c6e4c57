import Measurements
import Profiles

extension Scenario {
    /// The scenario with faults on top of its own, numbered after them; they need not fire.
    package func adding(_ plan: [FaultEntry]) -> Scenario {
        guard !plan.isEmpty else { return self }
        var scenario = self
        let first = (faults.map(\.index).max() ?? -1) + 1
        precondition(first == faults.count, "a profile's faults are numbered from zero")
        scenario.conditions.faults += FaultPlan.numbered(plan, from: first)
        return scenario
    }
}

extension FaultPlan {
    /// Whether its faults still have a place in the code: one of them struck, or it has none.
    ///
    /// A fault that came due and found nothing to harm tested nothing, as in a run.
    package func struck(_ fates: [FaultFate]) -> Bool {
        faults.isEmpty || fates.contains(.fired)
    }
}

/// What became of one fault of a plan.
package enum FaultFate: String, Codable, Sendable {
    /// It struck.
    case fired
    /// It came due and there was nothing to harm.
    case absorbed
    /// It never came due.
    case skipped

    /// The fate that an account tells of.
    package init(_ account: FaultAccount) {
        self = account.fired > 0 ? .fired : account.absorbed > 0 ? .absorbed : .skipped
    }
}
