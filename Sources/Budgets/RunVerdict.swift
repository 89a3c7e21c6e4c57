import Measurements

/// How a whole run came out, and why.
package struct RunVerdict: Codable, Sendable, Equatable {
    /// What the command ends with.
    package let outcome: Outcome
    /// The word for it.
    package let verdict: Kind
    /// Why, one sentence each without a stop, worst first; empty if all passed without a word.
    package let reasons: [String]

    /// The word for how a run came out.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case pass
        case warn
        case fail
        /// Nothing is broken, and there is nothing to decide by; only a gate comes out so.
        case undecided = "not-decided"

        /// The word as a report's reader sees it.
        package var text: String {
            switch self {
            case .pass: "pass"
            case .warn: "pass, with warnings"
            case .fail: "fail"
            case .undecided: "not decided"
            }
        }
    }

    /// Makes a verdict.
    package init(outcome: Outcome, verdict: Kind, reasons: [String]) {
        self.outcome = outcome
        self.verdict = verdict
        self.reasons = reasons
    }

    /// Judges a run.
    ///
    /// - Parameters:
    ///   - seeds: The results of all seeds that ran.
    ///   - budgets: How the budget lines came out.
    ///   - irreproducible: Seeds that gave two fingerprints, as a sentence each.
    ///   - labFaults: What went wrong in the lab itself, as a sentence each.
    ///   - warnings: What is worth a word and breaks nothing, as a sentence each.
    package init(
        seeds: [SeedResult],
        budgets: [BudgetVerdict],
        irreproducible: [String] = [],
        labFaults: [String] = [],
        warnings: [String] = []
    ) {
        var outcomes: [Outcome] = []
        var reasons: [String] = []
        func add(_ outcome: Outcome, _ sentences: [String]) {
            guard !sentences.isEmpty else { return }
            outcomes.append(outcome)
            reasons += sentences
        }
        add(.labFault, labFaults)
        add(.notReproducible, irreproducible)
        add(.guaranteeBroken, Self.brokenGuarantees(seeds))
        if seeds.isEmpty { add(.nothingTested, ["no seed ran"]) }
        add(.nothingTested, Self.vacuousFaults(seeds))
        add(.nothingTested, Self.untested(budgets))
        add(.budgetBroken, budgets.filter { $0.verdict == .fail }.map(\.sentence))
        let outcome = Outcome.worst(outcomes)
        let soft = budgets.filter { $0.verdict == .warn || $0.verdict == .noBaseline }
        let allWarnings = warnings + soft.map(\.sentence)
        reasons += allWarnings.map { "warning: \($0)" }
        self.init(
            outcome: outcome,
            verdict: outcome != .pass ? .fail : allWarnings.isEmpty ? .pass : .warn,
            reasons: reasons
        )
    }

    /// One sentence for each guarantee that broke: in how many seeds, and the first message.
    private static func brokenGuarantees(_ seeds: [SeedResult]) -> [String] {
        let names = Set(seeds.flatMap(\.breaches).map(\.guarantee)).sorted()
        return names.compactMap { name in
            let broken = seeds.filter { $0.breaches.contains { $0.guarantee == name } }
            guard let first = broken.first?.breaches.first(where: { $0.guarantee == name }) else {
                return nil
            }
            let count =
                seeds.count == 1
                ? "seed \(first.seed)" : "\(broken.count) of \(seeds.count) seeds"
            return "\(name) broke in \(count): \(first.message)"
        }
    }

    /// Budgets whose metric no seed touched: one sentence for all of them, and one for each pack.
    private static func untested(_ budgets: [BudgetVerdict]) -> [String] {
        var names: [String] = []
        var packs: [String] = []
        for rule in budgets.filter({ $0.verdict == .untested }).map(\.rule) {
            if let pack = rule.pack {
                if !packs.contains(pack) { packs.append(pack) }
            } else if !names.contains(rule.metric.text) {
                names.append(rule.metric.text)
            }
        }
        let idle = packs.map { "no seed touched anything that the budget pack \($0) limits" }
        guard let first = names.first else { return idle }
        guard names.count > 1 else {
            return ["no seed touched \(first), which has a budget"] + idle
        }
        let listed = names.prefix(3).joined(separator: ", ")
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return ["no seed touched \(names.count) metrics that have budgets: \(listed)\(more)"] + idle
    }

    /// Faults that fired in no seed and were not left out on purpose: they tested nothing.
    private static func vacuousFaults(_ seeds: [SeedResult]) -> [String] {
        guard let first = seeds.first else { return [] }
        return first.faults.compactMap { fault in
            let accounts = seeds.flatMap(\.faults).filter { $0.index == fault.index }
            guard accounts.allSatisfy({ $0.fired == 0 && $0.skipped == nil }) else { return nil }
            let absorbed = accounts.reduce(0) { $0 + $1.absorbed }
            let why =
                absorbed > 0
                ? "it came due \(absorbed) times and found nothing to harm"
                : "it never came due"
            return "fault '\(fault.name)' never fired: \(why)"
        }
    }
}
