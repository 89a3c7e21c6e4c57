import Budgets
import Measurements
import Quantities

/// The object of `--json` and `run.json`: format `onebar.run/1`, members in a fixed order.
package enum RunJSON {
    /// The name of the format.
    package static let format = "onebar.run/1"

    /// The run as one line, without a line break at its end.
    package static func line(of run: ProfileRun) -> String {
        value(of: run).text
    }

    /// The run as `run.json`, over several lines.
    package static func file(of run: ProfileRun) -> String {
        value(of: run).prettyText + "\n"
    }

    /// The run as a value.
    package static func value(of run: ProfileRun) -> JSONValue {
        .object([
            JSONMember("format", .string(format)),
            JSONMember("profile", .string(run.profile)),
            JSONMember("mode", .string(run.mode)),
            JSONMember("seeds", .array(run.seeds.map { number(of: $0.seed) })),
            JSONMember("metrics", metrics(run.seeds)),
            JSONMember("budgets", .array(run.budgets.map(budget))),
            JSONMember("broken", .array(run.breaches.map { broken($0, in: run) })),
            JSONMember("fingerprint", .string(run.fingerprint)),
            JSONMember("verdict", .string(run.verdict.verdict.rawValue)),
            JSONMember("reasons", .array(run.verdict.reasons.map { .string($0) })),
        ])
    }

    /// A seed as a number while it is one in every reader (below 2^53), else as a string.
    private static func number(of seed: UInt64) -> JSONValue {
        seed < 1 << 53 ? .integer(Int64(seed)) : .string(String(seed))
    }

    private static func metrics(_ seeds: [SeedResult]) -> JSONValue {
        .object(
            MetricSummary.all(of: seeds).map { summary in
                var members = [
                    JSONMember("unit", .string(summary.name.unit.rawValue)),
                    JSONMember("n", .integer(Int64(summary.count))),
                ]
                members += Statistic.allCases.map {
                    JSONMember($0.rawValue, .number(summary[$0]))
                }
                return JSONMember(summary.name.text, .object(members))
            }
        )
    }

    private static func budget(_ verdict: BudgetVerdict) -> JSONValue {
        .object(
            [
                JSONMember("metric", .string(verdict.metric.text)),
                JSONMember("statistic", .string(verdict.statistic.rawValue)),
                JSONMember("limit", .optional(verdict.limit)),
                JSONMember("value", .optional(verdict.value)),
                JSONMember("level", .string(verdict.level.rawValue)),
                JSONMember("verdict", .string(verdict.verdict.rawValue)),
            ] + (verdict.rule.pack.map { [JSONMember("pack", .string($0))] } ?? [])
        )
    }

    private static func broken(_ breach: GuaranteeBreach, in run: ProfileRun) -> JSONValue {
        .object([
            JSONMember("guarantee", .string(breach.guarantee.text)),
            JSONMember("seed", number(of: breach.seed)),
            JSONMember("at_ns", .integer(breach.instant.nanoseconds)),
            JSONMember("at", .string(breach.instant.description)),
            JSONMember("message", .string(breach.message)),
            JSONMember("replay", .string(run.replay(breach.seed))),
        ])
    }
}
