import Measurements
import Profiles
import Quantities

/// Searches fault plans for a broken guarantee in this process, and shrinks what it finds.
///
/// The code under test must not trap: `onebar hunt` puts worker processes around the same parts.
package struct Hunt {
    /// How far it goes.
    package struct Limits: Sendable {
        /// Most plans that are tried.
        package var plans: Int
        /// How long it may take on the host; nil for no such limit.
        package var span: Duration?

        /// Makes limits.
        package init(plans: Int = .max, span: Duration? = nil) {
            self.plans = plans
            self.span = span
        }
    }

    /// What a hunt came to.
    package struct Outcome: Sendable {
        /// The failure, if one was found.
        package var finding: HuntFinding?
        /// How many plans ran, without those of shrinking.
        package var runs: Int
        /// Which single faults fired.
        package var coverage: HuntCoverage
        /// How long the search took on the host, without shrinking.
        package var searchTime: Duration
    }

    private let trial: PlanTrial
    private let batch = 16

    /// Makes a hunt on the world that `runner` builds.
    package init(_ runner: SeedRunner) {
        trial = PlanTrial(runner)
    }

    /// Tries plans until one breaks a guarantee or a limit is reached.
    ///
    /// - Throws: `KernelFault`.
    package func run(
        _ limits: Limits,
        progress: (Int, HuntSchedule.Phase) -> Void = { _, _ in }
    ) throws -> Outcome {
        let started = ContinuousClock.now
        let schedule = HuntSchedule(
            profile: trial.profile,
            seeds: trial.seeds,
            census: try trial.census()
        )
        var coverage = HuntCoverage(schedule)
        var next = 0
        while next < limits.plans {
            if let span = limits.span, ContinuousClock.now - started >= span { break }
            let range = next..<min(limits.plans, next + batch)
            let result = try trial.run(schedule, range)
            coverage.add(result)
            next += result.runs
            progress(next, schedule.phase(of: next).phase)
            guard let failing = result.failing, let breach = result.breaches.first else { continue }
            let spent = ContinuousClock.now - started
            return Outcome(
                finding: try finding(schedule.plan(failing), breach),
                runs: next,
                coverage: coverage,
                searchTime: spent
            )
        }
        return Outcome(
            finding: nil,
            runs: next,
            coverage: coverage,
            searchTime: ContinuousClock.now - started
        )
    }

    private func finding(_ plan: FaultPlan, _ breach: GuaranteeBreach) throws -> HuntFinding {
        try HuntFinding.shrunk(plan, breach) { plan, story in
            try trial.run(plan, story: story)
        }
    }
}

/// A failure that a hunt found, as small as it could make it.
package struct HuntFinding: Sendable {
    /// The plan that provokes it, with the failure's identity.
    package var plan: FaultPlan
    /// What broke, as the small plan shows it.
    package var breach: GuaranteeBreach
    /// The whole story of the small plan's run.
    package var story: [StoryLine]
    /// How many faults the plan had that was found first.
    package var firstFaults: Int
    /// How many plans shrinking ran.
    package var shrinkRuns: Int
    /// Whether every fault that is left is known to be necessary.
    package var isMinimal: Bool

    /// Makes a finding.
    package init(
        plan: FaultPlan,
        breach: GuaranteeBreach,
        story: [StoryLine],
        firstFaults: Int,
        shrinkRuns: Int,
        isMinimal: Bool
    ) {
        self.plan = plan
        self.breach = breach
        self.story = story
        self.firstFaults = firstFaults
        self.shrinkRuns = shrinkRuns
        self.isMinimal = isMinimal
    }

    /// Shrinks a plan that broke a guarantee, and runs what is left once more for its story.
    package static func shrunk(
        _ plan: FaultPlan,
        _ breach: GuaranteeBreach,
        trial: @escaping (_ plan: FaultPlan, _ story: Bool) throws -> TrialOutcome
    ) throws -> HuntFinding {
        var shrinker = PlanShrinker(breach.failureIdentity) { try trial($0, false) }
        var small = try shrinker.shrink(plan)
        let outcome = try trial(small, true)
        let shown = outcome.breaches.first { $0.failureIdentity == breach.failureIdentity }
        let known = shown ?? breach
        small.failure = PlannedFailure(identity: breach.failureIdentity, message: known.message)
        return HuntFinding(
            plan: small,
            breach: known,
            story: outcome.story,
            firstFaults: plan.faults.count,
            shrinkRuns: shrinker.runs,
            isMinimal: shrinker.isFinished
        )
    }
}
