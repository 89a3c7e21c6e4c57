import Budgets
import Measurements

/// The object of `gate --json` and `gate.json`: format `onebar.gate/1`, members in a fixed order.
package enum GateJSON {
    /// The name of the format.
    package static let format = "onebar.gate/1"

    /// The gate as a value; the run that it judged is in `run`, as `onebar.run/1`.
    package static func value(of report: GateReport) -> JSONValue {
        let verdict = report.verdict
        return .object([
            JSONMember("format", .string(format)),
            JSONMember("profile", .string(report.run.profile)),
            JSONMember("verdict", .string(verdict.verdict.rawValue)),
            JSONMember("exit_code", .integer(Int64(verdict.outcome.exitCode))),
            JSONMember("reasons", .array(verdict.reasons.map { .string($0) })),
            JSONMember("warnings", .array(verdict.warnings.map { .string($0) })),
            JSONMember("explored", .array(report.explored.map { .string($0) })),
            JSONMember("looks", .integer(Int64(report.looks.taken))),
            JSONMember("comparisons", .array(verdict.comparisons.map(comparison))),
            JSONMember("excused", .array(verdict.excused.map(excused))),
            JSONMember("run", RunJSON.value(of: report.run)),
        ])
    }

    /// One metric against another run.
    package static func comparison(_ comparison: GateComparison) -> JSONValue {
        let statistics = comparison.statistics
        func finite(_ value: Double?) -> JSONValue {
            .optional(value.flatMap { $0.isFinite ? $0 : nil })
        }
        return .object([
            JSONMember("metric", .string(comparison.metric.name.text)),
            JSONMember("unit", .string(comparison.metric.name.unit.rawValue)),
            JSONMember("pairs", .integer(Int64(comparison.pairs))),
            JSONMember("before", .number(comparison.before)),
            JSONMember("after", .number(comparison.after)),
            JSONMember("dearer_pct", finite(statistics?.changePercent)),
            JSONMember("margin_pct", finite(statistics?.marginPercent)),
            JSONMember("scatter_pct", finite(statistics?.scatterPercent)),
            JSONMember("smallest_visible_pct", finite(statistics?.smallestVisiblePercent)),
            JSONMember("chance_if_same", finite(statistics?.chanceIfSame)),
            JSONMember("verdict", .string(comparison.kind.rawValue)),
            JSONMember("seeds_needed", .optional(comparison.seedsNeeded.map(Double.init))),
        ])
    }

    private static func excused(_ excused: GateVerdict.Excused) -> JSONValue {
        .object([
            JSONMember("failure", .string(excused.failure.name)),
            JSONMember("reason", .string(excused.known.reason)),
            JSONMember("owner", .string(excused.known.owner)),
            JSONMember("until", .string(excused.known.until)),
        ])
    }
}
