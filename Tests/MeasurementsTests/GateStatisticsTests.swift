import Budgets
import Foundation
import Measurements
import Quantities
import Testing

/// The gate as a whole by simulation: several metrics, several looks, one promise on false alarms.
@Suite struct GateStatisticsTests {
    /// Draws by a fixed generator (xorshift64*), so that the same trial gives the same figures.
    struct Draw {
        var state: UInt64

        init(_ number: UInt64) { state = number &* 0x2545_F491_4F6C_DD1D | 1 }

        mutating func uniform() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return (Double(state >> 11) + 0.5) / 9_007_199_254_740_992
        }

        /// Box and Muller, 1958.
        mutating func normal() -> Double {
            (-2 * log(uniform())).squareRoot() * cos(2 * Double.pi * uniform())
        }
    }

    static let metrics = (0..<10).map { GatedMetric(name: MetricName("mine.cost\($0)")) }

    /// Baseline and run of `count` seeds; the first metric changes by `change`, all scatter by `sd`.
    static func trial(_ number: UInt64, count: Int, change: Double, sd: Double)
        -> (baseline: BudgetBaseline, seeds: [SeedResult])
    {
        var draw = Draw(number)
        var before: [SeedResult] = []
        var after: [SeedResult] = []
        for seed in 1...UInt64(count) {
            var old: [MetricReading] = []
            var new: [MetricReading] = []
            for (index, metric) in metrics.enumerated() {
                let level = 800 + 100 * draw.uniform()
                let shift = (index == 0 ? change : 0) + sd * draw.normal()
                old.append(MetricReading(metric.name, level))
                new.append(MetricReading(metric.name, level + 850 * shift / 100))
            }
            before.append(result(seed, old))
            after.append(result(seed, new))
        }
        let baseline = BudgetBaseline(
            profile: "p",
            of: before,
            paired: Set(metrics.map(\.name))
        )
        return (baseline, after)
    }

    static func result(_ seed: UInt64, _ metrics: [MetricReading]) -> SeedResult {
        SeedResult(
            seed: seed,
            mode: "captured",
            metrics: metrics,
            fingerprint: "",
            virtualEnd: .zero
        )
    }

    @Test func `20 seeds catch 3 percent in one of ten metrics in 95 of 100 gates`() {
        let trials: UInt64 = 100
        let caught = (1...trials).count { number in
            let (baseline, seeds) = Self.trial(number, count: 20, change: 3, sd: 2)
            let all = GateComparison.all(
                of: Self.metrics,
                seeds: seeds,
                baseline: baseline,
                looks: 3
            )
            return all.first?.kind == .worse
        }
        #expect(caught >= 95, "\(caught)")
    }

    /// Gates that fail on noise alone, looked at after each of `counts` seeds.
    private static func alarms(trials: UInt64, counts: [Int], sd: Double) -> Int {
        (1...trials).count { number in
            let (baseline, seeds) = trial(number, count: counts.max() ?? 0, change: 0, sd: sd)
            return counts.contains { count in
                GateComparison.all(
                    of: metrics,
                    seeds: Array(seeds.prefix(count)),
                    baseline: baseline,
                    looks: counts.count
                ).contains { $0.kind == .worse }
            }
        }
    }

    // The gate looks at 5, 10 and 20 seeds. At 1 % four hundred trials have 4 alarms in the mean, with a
    // standard deviation of sqrt(400 x 0.01 x 0.99) = 1.99: three of them above are 9.
    @Test func `noise in ten metrics fails about one gate in a hundred over three looks`() {
        let failed = Self.alarms(trials: 400, counts: [5, 10, 20], sd: 2)
        #expect(failed <= 9, "\(failed)")
    }

    @Test func `looking again and again does not make noise fail more often`() {
        // Scatter so wide that every look is open: 10 %, looks at 20, 40 and 80 seeds.
        let failed = Self.alarms(trials: 60, counts: [20, 40, 80], sd: 10)
        #expect(failed <= 1, "\(failed)")
    }

    @Test func `a plan grows from the profile's seeds to the baseline's by doubling`() {
        let plan = GatePlan(profile: [1, 2, 3], baseline: Array(1...10))
        #expect(plan.looks == [[1, 2, 3], Array(1...6), Array(1...10)])
        #expect(GatePlan(profile: [1, 2], baseline: []).looks == [[1, 2]])
        #expect(GatePlan(profile: [7], baseline: [1, 2]).looks == [[7]])
    }

    @Test func `from nothing to something is worse, and the same figures are the same`() {
        let metric = Self.metrics[0]
        let setting = metric.setting(sharedBy: 1)
        let zeros = Array(repeating: 0.0, count: 10)
        let ones = Array(repeating: 1.0, count: 10)
        #expect(GateComparison(metric, before: zeros, after: ones, setting: setting).kind == .worse)
        #expect(
            GateComparison(metric, before: ones, after: zeros, setting: setting).kind == .better
        )
        #expect(GateComparison(metric, before: [5], after: [5], setting: setting).kind == .same)
        // Three pairs can show no chance below 1 in 8.
        let open = GateComparison(metric, before: [1, 1, 1], after: [2, 2, 2], setting: setting)
        #expect(open.kind == .inconclusive)
        #expect(open.sentence.contains("8 seeds would settle it"))
    }

    @Test func `a tolerance in the profile is allowed, and more than it is not`() throws {
        let rule = try BudgetRule(metric: "mine.cost0", text: "p50 <= baseline + 5%")
        let metric = try #require(GatedMetric.all(of: [rule]).first)
        let setting = metric.setting(sharedBy: 1)
        let before = Array(repeating: 100.0, count: 10)
        func kind(_ change: Double) -> GateComparison.Kind {
            GateComparison(
                metric,
                before: before,
                after: before.map { $0 + change },
                setting: setting
            )
            .kind
        }
        #expect(kind(4) == .same)
        #expect(kind(6) == .worse)
    }
}
