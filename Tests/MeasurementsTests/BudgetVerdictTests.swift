import Budgets
import Measurements
import Quantities
import Testing

/// Budgets over seeds, whole runs, and exit codes.
@Suite struct BudgetVerdictTests {
    private func seeds(_ values: [Double], metric: String = "radio.energy_j") -> [SeedResult] {
        values.enumerated().map { index, value in
            SeedResult(
                seed: UInt64(index + 1),
                mode: "captured",
                metrics: [MetricReading(MetricName(metric), value)],
                fingerprint: "00",
                virtualEnd: .zero
            )
        }
    }

    private func judge(
        _ text: String,
        _ seeds: [SeedResult],
        metric: String = "radio.energy_j",
        level: BudgetLevel = .fail,
        baseline: BudgetBaseline? = nil
    ) throws -> BudgetVerdict {
        let rule = try BudgetRule(metric: metric, text: text, level: level)
        return BudgetVerdict.judge([rule], seeds: seeds, baseline: baseline)[0]
    }

    @Test func `p95 of 20 seeds is the nineteenth`() throws {
        let twenty = seeds((1...20).map { Double($0 * 10) })
        #expect(try judge("p95 <= 190J", twenty).verdict == .pass)
        let verdict = try judge("p95 < 190J", twenty)
        #expect(verdict.verdict == .fail)
        #expect(verdict.value == 190)
        #expect(verdict.note.isEmpty)
        #expect(verdict.sentence == "radio.energy_j p95 is 190 J, over its limit of 190J")
    }

    @Test func `too few seeds for a percentile are said`() throws {
        let verdict = try judge("p95 <= 90J", seeds([10, 20, 30]))
        #expect(verdict.verdict == .pass)
        #expect(verdict.note == "p95 of fewer than 20 values is their largest, and there are 3")
        #expect(try judge("p95 <= 90J", seeds([10])).note == "p95 of one value is that value")
    }

    @Test func `samples of all seeds are pooled`() throws {
        let name = MetricName("user.wait_s")
        let seeds = [[1, 2], [3, 4, 10]].enumerated().map { index, samples in
            SeedResult(
                seed: UInt64(index),
                mode: "captured",
                metrics: [MetricReading(name, samples: samples)],
                fingerprint: "",
                virtualEnd: .zero
            )
        }
        // Five values: p50 is the third, 3; the mean is 4.
        #expect(try judge("p50 <= 3s", seeds, metric: "user.wait_s").value == 3)
        #expect(try judge("mean <= 3s", seeds, metric: "user.wait_s").value == 4)
        #expect(try judge("mean <= 3s", seeds, metric: "user.wait_s").count == 5)
    }

    @Test func `a floor is broken from below, and a warning does not fail`() throws {
        let verdict = try judge("min >= 20J", seeds([10, 30]), level: .warn)
        #expect(verdict.verdict == .warn)
        #expect(verdict.sentence == "radio.energy_j min is 10 J, under its limit of 20J")
        let run = RunVerdict(seeds: seeds([10, 30]), budgets: [verdict])
        #expect(run.verdict == .warn)
        #expect(run.outcome == .pass)
    }

    @Test func `a baseline limit is its statistic times one plus the percentage`() throws {
        let baseline = BudgetBaseline(profile: "commute", of: seeds([100, 200, 300]))
        let verdict = try judge("p50 <= baseline + 3%", seeds([205, 206]), baseline: baseline)
        // 200 x 1.03 = 206; p50 of two values is the first, 205.
        #expect(verdict.limit == 206)
        #expect(verdict.value == 205)
        #expect(verdict.verdict == .pass)
        let over = try judge("max <= baseline - 10J", seeds([291]), baseline: baseline)
        #expect(over.limit == 290)
        #expect(over.verdict == .fail)
    }

    @Test func `no baseline is said and does not fail, no metric does`() throws {
        let verdict = try judge("p50 <= baseline + 3%", seeds([100]))
        #expect(verdict.verdict == .noBaseline)
        #expect(RunVerdict(seeds: seeds([100]), budgets: [verdict]).outcome == .pass)
        let untested = try judge("max <= 1MB", seeds([100]), metric: "network.up_bytes")
        #expect(untested.verdict == .untested)
        let run = RunVerdict(seeds: seeds([100]), budgets: [untested])
        #expect(run.outcome == .nothingTested)
        #expect(run.reasons == ["no seed touched network.up_bytes, which has a budget"])
    }

    @Test func `tables have a place for every verdict, once`() {
        let order = BudgetVerdict.Kind.tableOrder
        #expect(Set(order) == Set(BudgetVerdict.Kind.allCases))
        #expect(order.count == BudgetVerdict.Kind.allCases.count)
    }

    @Test func `of a pack, what no seed touched is not judged unless that is all of it`() throws {
        let touched = try BudgetRule(metric: "radio.energy_j", text: "max <= 1J", pack: "green")
        let idle = try BudgetRule(metric: "app.cold_start_ms", text: "max < 5s", pack: "green")
        let both = BudgetVerdict.judge([idle, touched], seeds: seeds([2]))
        #expect(both.map(\.verdict) == [.notJudged, .fail])
        #expect(both.first?.note == "no seed touched this metric")
        #expect(RunVerdict(seeds: seeds([2]), budgets: both).outcome == .budgetBroken)
        #expect(RunVerdict(seeds: seeds([2]), budgets: [both[0]]).reasons.isEmpty)

        let alone = BudgetVerdict.judge([idle], seeds: seeds([2]))
        #expect(alone.map(\.verdict) == [.untested])
        let verdict = RunVerdict(seeds: seeds([2]), budgets: alone)
        #expect(verdict.outcome == .nothingTested)
        #expect(verdict.reasons == ["no seed touched anything that the budget pack green limits"])

        let own = try BudgetRule(metric: "app.warm_start_ms", text: "max < 2s")
        let mixed = BudgetVerdict.judge([idle, touched, own], seeds: seeds([2]))
        #expect(mixed.map(\.verdict) == [.notJudged, .fail, .untested])
    }

    @Test func `a baseline of another profile is not used, and one of other seeds is said so`()
        throws
    {
        let rule = try BudgetRule(metric: "radio.energy_j", text: "p50 <= baseline")
        let baseline = BudgetBaseline(profile: "commute", of: seeds([100, 200]))
        func run(_ profile: String, _ seeds: [SeedResult]) -> ProfileRun {
            ProfileRun(
                profile: profile,
                mode: "captured",
                radios: [],
                seeds: seeds,
                rules: [rule],
                baseline: baseline
            )
        }
        let other = run("elevator", seeds([90]))
        #expect(other.verdict.verdict == .warn)
        #expect(other.baseline == nil)
        #expect(
            other.verdict.reasons.first
                == "warning: the baseline is of profile 'commute', so nothing was compared with it"
        )
        let fewer = run("commute", seeds([90]))
        #expect(fewer.budgets[0].verdict == .pass)
        #expect(fewer.budgets[0].note.hasSuffix("made of other seeds than this run"))
        #expect(run("commute", seeds([90, 95])).budgets[0].note.isEmpty)
    }

    @Test func `the scatter of a baseline is the sample standard deviation`() {
        // 2, 4, 6: mean 4, squares 4 + 0 + 4 over n - 1 = 2: 4, root 2.
        let metric = BaselineMetric(
            MetricSummary(MetricName("radio.energy_j"), values: [2, 4, 6]),
            perSeed: nil
        )
        #expect(metric.deviation == 2)
        #expect(metric[.p50] == 4)
        #expect(metric[.max] == 6)
    }

    @Test func `exit codes have the documented precedence`() {
        #expect(Outcome.worst([]) == .pass)
        let order: [Int32] = [70, 4, 3, 5, 1, 0]
        #expect(Outcome.precedence.map(\.exitCode) == order)
        for (index, outcome) in Outcome.precedence.enumerated() {
            #expect(Outcome.worst(Outcome.precedence[index...].reversed()) == outcome)
        }
    }

    @Test func `a run says every reason, the worst first`() throws {
        var broken = seeds([100, 200])
        broken[1].breaches = [
            GuaranteeBreach.crash(seed: 2, at: .zero, detail: "index out of range")
        ]
        broken[0].faults = [
            FaultAccount(index: 0, name: "disk.full", absorbed: 2),
            FaultAccount(index: 1, name: "clock.jump", skipped: "left out"),
            FaultAccount(index: 2, name: "kill", fired: 1), FaultAccount(index: 3, name: "late"),
        ]
        broken[1].faults = broken[0].faults
        broken[1].faults[2].fired = 0
        let budget = try judge("max <= 150J", broken)
        let run = RunVerdict(
            seeds: broken,
            budgets: [budget],
            irreproducible: ["seed 1 gave two fingerprints"],
            labFaults: ["worker 2 died"]
        )
        #expect(run.outcome == .labFault)
        #expect(
            run.reasons == [
                "worker 2 died", "seed 1 gave two fingerprints",
                "client.no_crash broke in 1 of 2 seeds: the app crashed: index out of range",
                "fault 'disk.full' never fired: it came due 4 times and found nothing to harm",
                "fault 'late' never fired: it never came due",
                "radio.energy_j max is 200 J, over its limit of 150J",
            ]
        )
        #expect(RunVerdict(seeds: broken, budgets: [budget]).outcome == .guaranteeBroken)
        #expect(RunVerdict(seeds: [], budgets: []).outcome == .nothingTested)
        #expect(RunVerdict(seeds: seeds([1]), budgets: []).verdict == .pass)
    }

    @Test func `the worst seed has most breaches, or else is furthest over`() throws {
        let rule = try BudgetRule(metric: "radio.energy_j", text: "max <= 100J")
        func run(_ seeds: [SeedResult]) -> ProfileRun {
            ProfileRun(profile: "p", mode: "captured", radios: [], seeds: seeds, rules: [rule])
        }
        #expect(run(seeds([90, 120, 110])).worstSeed?.seed == 2)
        #expect(run(seeds([90, 90])).worstSeed?.seed == 1)
        var broken = seeds([90, 120, 110])
        broken[2].breaches = [GuaranteeBreach.crash(seed: 3, at: .zero, detail: "x")]
        #expect(run(broken).worstSeed?.seed == 3)
    }

    @Test func `one fingerprint stands for all, in any order of arrival`() {
        let all = seeds([1, 2, 3])
        func print(_ seeds: [SeedResult]) -> String {
            ProfileRun(profile: "p", mode: "captured", radios: [], seeds: seeds, rules: [])
                .fingerprint
        }
        #expect(print(all) == print(all.reversed()))
        var other = all
        other[1].fingerprint = "01"
        #expect(print(all) != print(other))
        #expect(print(all).count == 16)
    }
}
