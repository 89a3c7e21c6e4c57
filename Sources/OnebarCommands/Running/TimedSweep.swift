import Budgets
import Measurements
import Profiles

/// As many seeds as fit a span of the host's time, from the first one upward.
///
/// Which seeds those are depends on the machine and its load; what each gives does not.
struct TimedSweep {
    /// Runs seeds.
    let sweep: SeedSweep
    /// The seeds to take from, in order.
    let range: ClosedRange<UInt64>
    /// When no more are begun.
    let deadline: ContinuousClock.Instant
    /// Makes the order of a seed, with or without a timeline.
    let order: (_ seed: UInt64, _ timeline: Bool) -> SeedOrder

    /// Seeds from this one on keep no timeline, or a long run would fill the memory with drawings.
    static let drawn = 100
    /// The most that one round may take, so that the end is not missed by much (assumption).
    private static let round = Duration.seconds(5)

    /// Runs at least one seed for each job, then more until the time is over or the seeds are.
    func run(label: String, verify: Bool, rules: [BudgetRule]) throws -> SeedSweep.Yield {
        let started = ContinuousClock.now
        var yield = SeedSweep.Yield()
        var next = range.lowerBound
        var done = 0
        while true {
            let count = size(done: done, since: started)
            let last = next.addingReportingOverflow(UInt64(count - 1))
            let end = last.overflow ? range.upperBound : min(last.partialValue, range.upperBound)
            let orders = (next...end).enumerated().map { order($1, done + $0 < Self.drawn) }
            yield.add(try sweep.run(orders, label: label, verify: verify))
            done += orders.count
            guard end < range.upperBound, ContinuousClock.now < deadline else { break }
            next = end + 1
        }
        return try withTimelineOfWorst(yield, rules)
    }

    /// As many as the rest of the time is good for at the speed so far, in whole rounds of the jobs.
    private func size(done: Int, since started: ContinuousClock.Instant) -> Int {
        let jobs = max(1, sweep.jobs)
        guard done > 0 else { return jobs }
        let now = ContinuousClock.now
        let span = min(Self.round, max(.zero, deadline - now))
        let fitting = Double(done) * (span / (now - started))
        return max(1, Int(min(fitting, 10_000)) / jobs) * jobs
    }

    /// The report begins with the timeline of the worst seed: it is drawn if it was not.
    private func withTimelineOfWorst(
        _ yield: SeedSweep.Yield,
        _ rules: [BudgetRule]
    ) throws -> SeedSweep.Yield {
        let run = ProfileRun(
            profile: "",
            mode: "",
            radios: [],
            seeds: yield.results,
            rules: rules
        )
        guard let worst = run.worstSeed, worst.timeline == nil, worst.fingerprint != "-" else {
            return yield
        }
        var drawn = yield
        let again = try sweep.run([order(worst.seed, true)], label: "", verify: false)
        drawn.results.removeAll { $0.seed == worst.seed }
        drawn.results += again.results
        return drawn
    }
}

extension SeedSweep.Yield {
    /// Takes up what came of more seeds.
    mutating func add(_ other: SeedSweep.Yield) {
        results += other.results
        labFaults += other.labFaults
        irreproducible += other.irreproducible
        events += other.events
        effects += other.effects
    }
}
