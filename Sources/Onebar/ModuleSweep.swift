import Budgets
import Lab
import Measurements
import Profiles
import Quantities
import SimulationKernel

/// The runs of one test: each seed undisturbed, then each fault at each place, spread over the seeds.
struct ModuleSweep {
    let scenario: Scenario
    let setup: WorldSetup
    let faults: [LabFault]

    /// Effects in which a death can leave something half done.
    private static let durable: Set<EffectKind> = [.write, .sync, .truncate, .delete, .rename]

    func run(seeds: ClosedRange<UInt64>, rules: [BudgetRule]) throws {
        var undisturbed: [SeedResult] = []
        for (index, seed) in seeds.enumerated() {
            var options = SeedRunner.Options()
            options.recordsEffects = !faults.isEmpty
            let runner = SeedRunner(scenario: scenario, setup: setup)
            let run = try runner.run(seed: seed, options: options)
            try check(run.result, provokedBy: "nothing but the conditions")
            undisturbed.append(run.result)
            let share = (index: index, count: seeds.count)
            for fault in faults { try disturb(run, by: fault, seed: seed, share) }
        }
        let run = ProfileRun(
            profile: scenario.name,
            mode: LabMode.current.rawValue,
            radios: [],
            seeds: undisturbed,
            rules: rules
        )
        guard run.verdict.outcome == .pass else { throw LabFailure(run.verdict.reasons) }
    }

    private func disturb(
        _ run: SeedRun,
        by fault: LabFault,
        seed: UInt64,
        _ share: (index: Int, count: Int)
    ) throws {
        switch fault {
        case .killAtEveryWrite:
            let points = run.effects.filter {
                $0.launch == 1 && Self.durable.contains($0.record.kind)
            }
            for (number, point) in points.enumerated() where number % share.count == share.index {
                for happens in [false, true] {
                    var options = SeedRunner.Options()
                    options.death = .init(
                        plan: KillPlan(
                            atEffect: number + 1,
                            of: Self.durable,
                            happens: happens
                        )
                    )
                    try check(
                        runner().run(seed: seed, options: options).result,
                        provokedBy: "a kill \(happens ? "after" : "before") \(point.record)"
                    )
                }
            }
        case .loseEachResponse:
            let sent = run.effects.filter { $0.record.kind == .send }.count
            for number in 0..<sent where number % share.count == share.index {
                var options = SeedRunner.Options()
                options.lostResponse = number + 1
                try check(
                    runner().run(seed: seed, options: options).result,
                    provokedBy: "the loss of the response to request \(number + 1)"
                )
            }
        }
    }

    private func runner() -> SeedRunner {
        SeedRunner(scenario: scenario, setup: setup)
    }

    private func check(_ result: SeedResult, provokedBy cause: String) throws {
        guard let breach = result.breaches.first else { return }
        var lines = [
            "\(breach.guarantee) broke in seed \(result.seed), provoked by \(cause):",
            "  \(breach.message)",
        ]
        lines += breach.story.map { "    \($0.instant)  \($0.text)" }
        lines += result.log.map { "    \($0.instant)  log, \($0.text)" }
        throw LabFailure(lines)
    }
}
