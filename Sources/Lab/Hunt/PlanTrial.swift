import Measurements
import Profiles

/// Runs plans in this process, one after another.
package struct PlanTrial {
    private let runner: SeedRunner

    /// Makes a trial on the world that `runner` builds.
    package init(_ runner: SeedRunner) {
        self.runner = runner
    }

    /// The profile's name.
    package var profile: String { runner.scenario.name }
    /// The profile's seeds.
    package var seeds: ClosedRange<UInt64> { runner.scenario.run.seeds.bounds }

    /// Runs the profile as it is and counts what happens in it.
    ///
    /// - Throws: `KernelFault`.
    package func census() throws -> RunCensus {
        var options = SeedRunner.Options()
        options.recordsEffects = true
        return try runner.run(seed: seeds.lowerBound, options: options).census ?? RunCensus()
    }

    /// Runs one plan; with `story`, its whole story is kept.
    ///
    /// - Throws: `KernelFault`.
    package func run(_ plan: FaultPlan, story: Bool = false) throws -> TrialOutcome {
        var options = SeedRunner.Options()
        options.plan = plan.faults
        options.measures = false
        options.tellsStory = story
        let run = try runner.run(seed: plan.seed, options: options)
        let own = run.result.faults.dropFirst(runner.scenario.faults.count)
        return TrialOutcome(
            breaches: run.result.breaches,
            fates: own.map { FaultFate($0) },
            events: run.events,
            story: run.story
        )
    }

    /// Runs the schedule's plans from `range` until one breaks a guarantee.
    ///
    /// - Throws: `KernelFault`.
    package func run(_ schedule: HuntSchedule, _ range: Range<Int>) throws -> TrialBatch {
        var batch = TrialBatch(from: range.lowerBound)
        for index in range {
            let outcome = try run(schedule.plan(index))
            batch.runs += 1
            batch.events += outcome.events
            batch.fates.append(outcome.fates)
            guard outcome.breaches.isEmpty else {
                batch.breaches = outcome.breaches
                break
            }
        }
        return batch
    }
}

/// What came of one plan.
package struct TrialOutcome: Codable, Sendable {
    /// Broken guarantees, in order of time.
    package var breaches: [GuaranteeBreach]
    /// What became of each of the plan's faults.
    package var fates: [FaultFate]
    /// Kernel events.
    package var events: UInt64
    /// The whole story, if it was asked for.
    package var story: [StoryLine]

    /// Makes an outcome.
    package init(
        breaches: [GuaranteeBreach],
        fates: [FaultFate],
        events: UInt64,
        story: [StoryLine] = []
    ) {
        self.breaches = breaches
        self.fates = fates
        self.events = events
        self.story = story
    }

    /// Whether the same guarantee broke for the same entity by the same owner.
    package func shows(_ identity: FailureIdentity) -> Bool {
        breaches.contains { $0.failureIdentity == identity }
    }
}

/// What came of a stretch of a schedule; it ends with the first plan that broke a guarantee.
package struct TrialBatch: Codable, Sendable {
    /// The number of the first plan.
    package var from: Int
    /// How many ran.
    package var runs = 0
    /// Kernel events of all.
    package var events: UInt64 = 0
    /// What became of the faults of each plan.
    package var fates: [[FaultFate]] = []
    /// What the last plan broke; empty if nothing.
    package var breaches: [GuaranteeBreach] = []

    /// Makes an empty one.
    package init(from: Int) {
        self.from = from
    }

    /// The number of the plan that broke a guarantee.
    package var failing: Int? { breaches.isEmpty ? nil : from + runs - 1 }
}
