import Measurements

/// How a gate came out: budgets, guarantees, the comparison with the baseline, known failures.
package struct GateVerdict: Sendable, Equatable {
    /// The chance that a gate over all its metrics and looks calls noise a regression: 1 in 100.
    package static let falseAlarm = 0.01

    /// What the command ends with.
    package let outcome: Outcome
    /// The word for it.
    package let verdict: RunVerdict.Kind
    /// Why, one sentence each without a stop, worst first.
    package let reasons: [String]
    /// What is worth a word and blocks nothing.
    package let warnings: [String]
    /// Every metric that was compared.
    package let comparisons: [GateComparison]
    /// Failures that known failures excuse, with the line that does.
    package let excused: [Excused]

    /// A failure and what excuses it.
    package struct Excused: Sendable, Equatable {
        /// The failure.
        package let failure: GateFailure
        /// What excuses it.
        package let known: KnownFailure
    }

    /// What a gate is told beside the run itself.
    package struct Surroundings: Sendable {
        /// Metrics compared with the baseline.
        package var comparisons: [GateComparison] = []
        /// Whether there is a baseline to compare with.
        package var baseline: BaselineState
        /// Failures that are known, of this profile only.
        package var known: [KnownFailure] = []
        /// Today, as YYYY-MM-DD.
        package var today: String
        /// Whether an inconclusive comparison is a warning rather than a failure.
        package var acceptsInconclusive = false
        /// The version of the tool that runs now.
        package var toolVersion: String

        /// Describes the surroundings.
        package init(baseline: BaselineState, today: String, toolVersion: String) {
            self.baseline = baseline
            self.today = today
            self.toolVersion = toolVersion
        }
    }

    /// Judges a run: known failures are taken out of it first, and what is left decides.
    package init(
        of run: ProfileRun,
        irreproducible: [String] = [],
        labFaults: [String] = [],
        in surroundings: Surroundings
    ) {
        let failures = GateFailure.all(of: run, surroundings.comparisons)
        var excused: [Excused] = []
        var complaints: [String] = []
        for known in surroundings.known {
            guard let failure = failures.first(where: { $0.name == known.failure }) else {
                if Self.isOpen(known, surroundings) { continue }
                complaints.append(
                    "\(known.place): '\(known.failure)' does not fail any more; remove the line"
                )
                continue
            }
            if known.excuses(on: surroundings.today) {
                excused.append(Excused(failure: failure, known: known))
            } else {
                complaints.append(
                    "\(known.place): '\(known.failure)' was excused until \(known.until); "
                        + "\(known.owner) was to mend it"
                )
            }
        }
        let names = Set(excused.map(\.failure.name))
        let rest = RunVerdict(
            seeds: run.seeds.map { Self.without(names, $0) },
            budgets: run.budgets.filter { !names.contains(GateFailure.name(of: $0)) },
            irreproducible: irreproducible,
            labFaults: labFaults
        )
        var outcomes = [rest.outcome]
        var reasons = rest.reasons.filter { !$0.hasPrefix("warning: ") }
        var warnings = rest.reasons.compactMap { $0.dropPrefix("warning: ") }
        for comparison in surroundings.comparisons
        where !names.contains(GateFailure.name(of: comparison)) {
            switch Self.weight(of: comparison, surroundings) {
            case .none: continue
            case .warning: warnings.append(comparison.sentence)
            case .failure(let outcome):
                outcomes.append(outcome)
                reasons.append(comparison.sentence)
            }
        }
        if let problem = Self.problem(of: surroundings.baseline) {
            outcomes.append(.nothingTested)
            reasons.append(problem)
        }
        if !complaints.isEmpty { outcomes.append(.budgetBroken) }
        warnings += excused.map {
            "known failure until \($0.known.until) (\($0.known.owner)): \($0.failure.sentence)"
        }
        if let origin = surroundings.baseline.baseline?.origin,
            origin.toolVersion != surroundings.toolVersion
        {
            warnings.append(
                "the baseline was made by Onebar \(origin.toolVersion), this is "
                    + "\(surroundings.toolVersion): the lab itself may have changed a figure"
            )
        }
        outcome = Outcome.worst(outcomes)
        // The run is good and nothing is dearer for certain: there is too little to compare it with.
        let isUndecided =
            outcome == .nothingTested && rest.outcome == .pass && !outcomes.contains(.budgetBroken)
        verdict =
            outcome == .pass
            ? warnings.isEmpty ? .pass : .warn
            : isUndecided ? .undecided : .fail
        self.reasons = reasons + complaints
        self.warnings = warnings
        comparisons = surroundings.comparisons
        self.excused = excused
    }

    /// The verdict in the form of a run's: what an archive keeps beside the run's own.
    package var asOfRun: RunVerdict {
        RunVerdict(
            outcome: outcome,
            verdict: verdict,
            reasons: reasons + warnings.map { "warning: \($0)" }
        )
    }

    /// Whether nobody can say if a known regression is still there: its comparison is open, or
    /// there is no baseline to make it with.
    private static func isOpen(_ known: KnownFailure, _ surroundings: Surroundings) -> Bool {
        guard surroundings.baseline.baseline != nil else {
            return known.failure.hasSuffix(GateFailure.regressionMark)
        }
        return surroundings.comparisons.contains {
            GateFailure.name(of: $0) == known.failure && $0.isOpen
        }
    }

    /// What a comparison means for the gate.
    private enum Weight {
        case none
        case warning
        case failure(Outcome)
    }

    private static func weight(
        of comparison: GateComparison,
        _ surroundings: Surroundings
    ) -> Weight {
        let isWarning = comparison.metric.level == .warn
        switch comparison.kind {
        case .same, .better: return .none
        case .worse: return isWarning ? .warning : .failure(.budgetBroken)
        case .inconclusive, .unpaired:
            return isWarning || surroundings.acceptsInconclusive
                ? .warning : .failure(.nothingTested)
        }
    }

    private static func problem(of state: BaselineState) -> String? {
        switch state {
        case .current: nil
        case .stale(let why): "the baseline is stale: \(why); write it anew with --update"
        case .missing(let path): "there is no baseline at \(path); write one with --update"
        }
    }

    private static func without(_ names: Set<String>, _ seed: SeedResult) -> SeedResult {
        var copy = seed
        copy.breaches.removeAll { names.contains($0.guarantee.text) }
        return copy
    }
}

/// One thing that fails a gate, by the name that a known failure calls it.
package struct GateFailure: Sendable, Equatable {
    /// A guarantee, a budget as "metric: rule", or a regression as "metric: baseline".
    package let name: String
    /// What to say of it.
    package let sentence: String

    /// All of a run and its comparisons that could be excused.
    static func all(of run: ProfileRun, _ comparisons: [GateComparison]) -> [GateFailure] {
        var failures: [GateFailure] = []
        for breach in run.breaches
        where !failures.contains(where: { $0.name == breach.guarantee.text }) {
            failures.append(
                GateFailure(
                    name: breach.guarantee.text,
                    sentence: "\(breach.guarantee) broke, seed \(breach.seed): \(breach.message)"
                )
            )
        }
        failures += run.budgets.filter { $0.verdict == .fail }.map {
            GateFailure(name: name(of: $0), sentence: $0.sentence)
        }
        failures += comparisons.filter { $0.kind == .worse }.map {
            GateFailure(name: name(of: $0), sentence: $0.sentence)
        }
        return failures
    }

    /// How a known failure calls a budget.
    package static func name(of verdict: BudgetVerdict) -> String {
        "\(verdict.metric): \(verdict.rule.text)"
    }

    /// How a known failure calls a regression.
    package static func name(of comparison: GateComparison) -> String {
        comparison.metric.name.text + regressionMark
    }

    /// How the name of every regression ends.
    static let regressionMark = ": baseline"
}

extension String {
    /// The text after `prefix`; nil if it does not begin with it.
    fileprivate func dropPrefix(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
