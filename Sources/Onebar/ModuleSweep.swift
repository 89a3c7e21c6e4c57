import Budgets
import Lab
import Measurements
import Profiles
import Quantities
import SimulationKernel

/// The runs of one test: each seed undisturbed, then each fault at each place, spread over the seeds.
struct ModuleSweep {
    let runner: SeedRunner
    let faults: [LabFault]
    let place: TestPlace
    let book: GuaranteeBook

    /// Runs everything; throws a `LabFailure` at the first guarantee that breaks, or for the budgets.
    func run(rules: [BudgetRule]) throws -> LabReport {
        var report = LabReport()
        var undisturbed: [SeedResult] = []
        for case .plan(let path) in faults { try play(planAt: path, &report) }
        let seeds = runner.scenario.run.seeds.bounds
        for (index, seed) in seeds.enumerated() {
            var options = SeedRunner.Options()
            options.recordsEffects = faults.contains { $0.isSearched }
            let run = try runner.run(seed: seed, options: options)
            report.add(run)
            try check(run, FaultPlan(profile: runner.scenario.name, seed: seed))
            undisturbed.append(run.result)
            guard let census = run.census else { continue }
            let pool = HuntPool(census)
            for fault in faults {
                let all = fault.entries(of: pool)
                for number in all.indices where number % seeds.count == index {
                    try disturb(by: all[number], seed: seed, &report)
                }
            }
        }
        if let idle = book.idle(runs: report.runs) {
            throw LabFailure([idle.line], guarantee: idle.name)
        }
        let run = ProfileRun(
            profile: runner.scenario.name,
            mode: LabMode.current.rawValue,
            radios: [],
            seeds: undisturbed,
            rules: rules
        )
        guard run.verdict.outcome == .pass else { throw LabFailure(run.verdict.reasons) }
        return report
    }

    private func disturb(
        by entry: FaultEntry,
        seed: UInt64,
        _ report: inout LabReport
    ) throws {
        let plan = FaultPlan(profile: runner.scenario.name, seed: seed, faults: [entry])
        var options = SeedRunner.Options()
        options.plan = plan.faults
        let run = try runner.run(seed: seed, options: options)
        report.add(run)
        report.faults += 1
        try check(run, plan)
    }

    private func play(planAt path: String, _ report: inout LabReport) throws {
        let plan = try FaultPlanReader.read(path: path)
        var options = SeedRunner.Options()
        options.plan = plan.faults
        let run = try runner.run(seed: plan.seed, options: options)
        report.add(run)
        report.faults += plan.faults.count
        try check(run, plan)
        let own = run.result.faults.dropFirst(runner.scenario.faults.count)
        guard plan.struck(own.map { FaultFate($0) }) else {
            throw LabFailure([
                "\(path): no fault of the plan found its place: it tests nothing any more",
                "  the code has changed; hunt again, and save the new plan",
            ])
        }
    }

    /// Throws the first breach of a run, with the plan shrunk to what is necessary.
    private func check(_ run: SeedRun, _ plan: FaultPlan) throws {
        guard let breach = run.result.breaches.first else { return }
        var named = plan
        named.test = place.name
        let trial = PlanTrial(runner)
        let finding = try HuntFinding.shrunk(named, breach) { try trial.run($0, story: $1) }
        var history = ActionHistory()
        history.add(run.counts)
        throw FindingReport(finding: finding, place: place, history: history).failure()
    }
}

extension LabFault {
    /// Whether its places are looked for in a good run.
    fileprivate var isSearched: Bool {
        if case .plan = self { false } else { true }
    }

    /// Each place that a good run has for it.
    fileprivate func entries(of pool: HuntPool) -> [FaultEntry] {
        switch self {
        case .killAtEveryWrite: pool.kills
        case .loseEachResponse: pool.lostResponses
        case .plan: []
        }
    }
}

extension LabReport {
    /// Counts a world.
    mutating func add(_ run: SeedRun) {
        runs += 1
        history.add(run.counts)
    }
}
