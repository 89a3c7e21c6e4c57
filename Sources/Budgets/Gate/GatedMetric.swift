import Measurements

/// A metric that the gate compares with the baseline, and what a change of it means.
package struct GatedMetric: Sendable, Equatable {
    /// The metric.
    package let name: MetricName
    /// Whether a regression fails the gate or is a warning.
    package let level: BudgetLevel
    /// Whether a larger value is the better one: its budgets say `>=`.
    package let isHigherBetter: Bool
    /// How much dearer it may become, in percent: what `baseline + 5%` allows; else nil.
    package let tolerance: Double?

    /// What is compared in a profile without budgets: the costs that every client has.
    package static let withoutBudgets: [MetricName] = [
        "radio.energy_j", "radio.on_s", "network.up_bytes", "network.down_bytes",
        "outbox.drain_s", "upload.duration_s", "storage.syncs", "memory.accounted_peak_bytes",
    ].map { MetricName($0) }

    /// Makes a gated metric.
    package init(
        name: MetricName,
        level: BudgetLevel = .fail,
        isHigherBetter: Bool = false,
        tolerance: Double? = nil
    ) {
        self.name = name
        self.level = level
        self.isHigherBetter = isHigherBetter
        self.tolerance = tolerance
    }

    /// The metrics that a profile budgets, once each in the order of its lines; else the usual ones.
    ///
    /// A metric whose budgets are all warnings only warns.
    package static func all(of rules: [BudgetRule]) -> [GatedMetric] {
        guard !rules.isEmpty else { return withoutBudgets.map { GatedMetric(name: $0) } }
        var names: [MetricName] = []
        for rule in rules where !names.contains(rule.metric) { names.append(rule.metric) }
        return names.map { name in
            let own = rules.filter { $0.metric == name }
            let tolerances = own.compactMap { rule -> Double? in
                guard case .baseline(let percent, _) = rule.limit, percent > 0 else { return nil }
                return percent
            }
            return GatedMetric(
                name: name,
                level: own.allSatisfy { $0.level == .warn } ? .warn : .fail,
                isHigherBetter: own.allSatisfy { $0.comparison == .atLeast },
                tolerance: tolerances.min()
            )
        }
    }

    /// How a comparison of it is judged, if `alarms` looks at metrics share the gate's false alarms.
    ///
    /// A tolerance that the profile states is what counts as no change, and two percent above it has
    /// to be seen: the same distance as between the 1 % and the 3 % that hold without one.
    package func setting(sharedBy alarms: Int) -> PairedComparison.Setting {
        var setting = PairedComparison.Setting()
        setting.falseAlarm = min(0.005, GateVerdict.falseAlarm / Double(max(1, alarms)))
        setting.isHigherBetter = isHigherBetter
        if let tolerance {
            setting.ignoredPercent = tolerance
            setting.relevantPercent = tolerance + 2
        }
        return setting
    }
}
