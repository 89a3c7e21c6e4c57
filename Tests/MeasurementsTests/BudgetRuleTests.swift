import Budgets
import Measurements
import Testing

/// Budget lines as people write them.
@Suite struct BudgetRuleTests {
    struct Good: Sendable {
        let metric: String
        let text: String
        let statistic: Statistic
        let comparison: BudgetComparison
        let limit: BudgetLimit

        init(
            _ metric: String,
            _ text: String,
            _ statistic: Statistic,
            _ comparison: BudgetComparison,
            _ limit: BudgetLimit
        ) {
            self.metric = metric
            self.text = text
            self.statistic = statistic
            self.comparison = comparison
            self.limit = limit
        }
    }

    static let good = [
        Good("radio.energy_j", "p95 <= 950J", .p95, .atMost, .fixed(950)),
        Good("radio.energy_j", "p50<=1.2kJ", .p50, .atMost, .fixed(1_200)),
        Good(
            "radio.energy_j",
            "p50 <= baseline + 3%",
            .p50,
            .atMost,
            .baseline(percent: 3, offset: 0)
        ),
        Good(
            "radio.energy_j",
            "mean <= baseline + 12J",
            .mean,
            .atMost,
            .baseline(percent: 0, offset: 12)
        ),
        Good(
            "outbox.drain_s",
            "p99 < baseline - 500ms",
            .p99,
            .below,
            .baseline(percent: 0, offset: -0.5)
        ),
        Good("radio.energy_j", "max <= baseline", .max, .atMost, .baseline(percent: 0, offset: 0)),
        Good("network.up_bytes", "max <= 52MB", .max, .atMost, .fixed(52_000_000)),
        Good("memory.accounted_peak_bytes", "max <= 96MiB", .max, .atMost, .fixed(100_663_296)),
        Good("outbox.oldest_age_s", "max <= 4min", .max, .atMost, .fixed(240)),
        Good("image.visible_wait_ms", "p90 <= 0.25s", .p90, .atMost, .fixed(250)),
        Good("upload.overhead_pct", "p95 <= 12%", .p95, .atMost, .fixed(12)),
        Good("upload.overhead_pct", "p95 <= 150 %", .p95, .atMost, .fixed(150)),
        Good("retry.amplification", "p95 <= 1.5", .p95, .atMost, .fixed(1.5)),
        Good("radio.promotions", " p95  <=  40 ", .p95, .atMost, .fixed(40)),
        Good("upload.finished", "min >= 4", .min, .atLeast, .fixed(4)),
        Good("frames.hitch_ms_per_s", "p95 <= 5ms/s", .p95, .atMost, .fixed(5)),
        Good("search.answer_ms", "p95 <= 120ms", .p95, .atMost, .fixed(120)),
        Good("cart.items", "max <= 1_000", .max, .atMost, .fixed(1_000)),
    ]

    @Test(arguments: good) func `a good line is read`(line: Good) throws {
        let rule = try BudgetRule(metric: line.metric, text: line.text)
        #expect(rule.statistic == line.statistic)
        #expect(rule.comparison == line.comparison)
        #expect(rule.limit == line.limit)
        #expect(rule.level == .fail)
    }

    struct Bad: Sendable {
        let metric: String
        let text: String
        let says: [String]

        init(_ metric: String, _ text: String, _ says: String...) {
            self.metric = metric
            self.text = text
            self.says = says
        }
    }

    static let bad = [
        Bad("radio.energy_j", "950J", "has no comparison", "p95 <= 950J"),
        Bad("radio.energy_j", "<= 950J", "has no statistic", "p50"),
        Bad("radio.energy_j", "p97 <= 950J", "unknown statistic 'p97'", "min, mean, p50"),
        Bad("radio.energy_j", "p95 == 950J", "unknown comparison '=='", "<="),
        Bad("radio.energy_j", "p95 > 950J", "unknown comparison '>'"),
        Bad("radio.energy_j", "p95 <=", "has no limit", "950J"),
        Bad("radio.energy_j", "p95 <= 950", "'950' has no unit"),
        Bad("radio.energy_j", "p95 <= 950s", "unknown unit 's'"),
        Bad("radio.energy_j", "p95 <= -3J", "negative"),
        Bad("radio.energy_j", "p50 <= baseline * 3", "after the baseline", "baseline + 3%"),
        Bad("radio.energy_j", "p50 <= baseline + 3", "'3' has no unit"),
        Bad("network.up_bytes", "max <= 15mbps", "that is a rate"),
        Bad("outbox.oldest_age_s", "max <= 2m", "minutes or milli"),
        Bad("upload.overhead_pct", "p95 <= 12", "'12' is not a percentage", "12%"),
        Bad("radio.promotions", "p95 <= 40J", "'40J' is not a plain number", "40"),
        Bad("retry.amplification", "p95 <= 1e3", "'1e3' is not a plain number"),
        Bad("radio.enrgy_j", "p95 <= 1J", "is not a metric", "radio.energy_j"),
        Bad("radio.quux_zzzzzzzzz", "p95 <= 1", "is not a metric", "onebar explain"),
        Bad("outbox.lost", "max <= 0", "cannot have a budget", "outbox.exactly_once"),
    ]

    @Test(arguments: bad) func `a bad line says what is wrong and what to write`(line: Bad) throws {
        let error = try #require(throws: BudgetRuleError.self) {
            try BudgetRule(metric: line.metric, text: line.text)
        }
        for part in line.says { #expect(error.description.contains(part), "\(error)") }
    }
}
