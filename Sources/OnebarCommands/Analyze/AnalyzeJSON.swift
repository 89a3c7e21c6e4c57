import CaptureAnalysis
import PhoneModel
import Quantities
import Reporting
import Trace

/// A capture's report as one JSON object.
enum AnalyzeJSON {
    static func object(
        _ report: CaptureReport,
        _ verdicts: [AnalyzeBudgets.Verdict]
    ) -> JSONValue {
        .object([
            JSONMember("format", .string("onebar.analysis/1")),
            JSONMember("capture", .string(report.path)),
            JSONMember("mode", .string(report.mode.rawValue)),
            JSONMember("radios", .array(report.radios.map(radio))),
            JSONMember("length_s", .number(report.length.inSeconds)),
            JSONMember("packets", .integer(Int64(report.packets))),
            JSONMember("device", .array(report.deviceAddresses.map { .string($0) })),
            JSONMember(
                "metrics",
                .object(report.metrics.map { JSONMember($0.name, .number($0.value)) })
            ),
            JSONMember("cut_tail_j", .number(report.cutTailJoules)),
            JSONMember("states", .array(report.states.map(state))),
            JSONMember("hosts", .array(report.hosts.map(host))),
            JSONMember("bursts", .integer(Int64(report.bursts.count))),
            JSONMember("periods", .array(report.periods.map(period))),
            JSONMember("findings", .array(report.findings.map(finding))),
            JSONMember("advice", .array(report.advice.map(advice))),
            JSONMember("budgets", .array(verdicts.map(budget))),
            JSONMember("notes", .array(report.notes.map { .string($0) })),
            JSONMember("verdict", .string(verdict(verdicts))),
        ])
    }

    private static func verdict(_ verdicts: [AnalyzeBudgets.Verdict]) -> String {
        if verdicts.contains(where: { $0.isBroken || $0.isUntested }) { return "fail" }
        return verdicts.contains { $0.isOver } ? "warn" : "pass"
    }

    private static func radio(_ radio: RadioModel) -> JSONValue {
        .object([
            JSONMember("name", .string(radio.name)),
            JSONMember("year", .integer(Int64(radio.year))),
            JSONMember("grade", .string(radio.grade.rawValue)),
        ])
    }

    private static func state(_ state: CaptureReport.StateTotal) -> JSONValue {
        .object([
            JSONMember("radio", .string(state.radio)), JSONMember("state", .string(state.state)),
            JSONMember("kind", .string(state.kind.rawValue)),
            JSONMember("times", .integer(Int64(state.count))),
            JSONMember("seconds", .number(state.seconds)),
            JSONMember("joules", .number(state.joules)),
        ])
    }

    private static func host(_ host: HostCost) -> JSONValue {
        .object([
            JSONMember("host", .string(host.host)), JSONMember("joules", .number(host.joules)),
            JSONMember("tail_joules", .number(host.tailJoules)),
            JSONMember("packets", .integer(Int64(host.packets))),
            JSONMember("up_bytes", .integer(host.upBytes)),
            JSONMember("down_bytes", .integer(host.downBytes)),
            JSONMember(
                "paths",
                .array(
                    host.paths.map { path in
                        .object([
                            JSONMember("path", .string(path.path)),
                            JSONMember("joules", .number(path.joules)),
                            JSONMember("tail_joules", .number(path.tailJoules)),
                            JSONMember("packets", .integer(Int64(path.packets))),
                        ])
                    }
                )
            ),
        ])
    }

    private static func period(_ period: PeriodicTransfer) -> JSONValue {
        .object([
            JSONMember("host", .string(period.host)),
            JSONMember("period_s", .number(period.period.inSeconds)),
            JSONMember("times", .integer(Int64(period.count))),
            JSONMember("joules", .number(period.joules)),
        ])
    }

    private static func finding(_ finding: CaptureFinding) -> JSONValue {
        .object([
            JSONMember("rule", .string(finding.rule)),
            JSONMember("verdict", .string(finding.verdict.rawValue)),
            JSONMember("message", .string(finding.message)),
        ])
    }

    private static func advice(_ advice: CaptureAdvice) -> JSONValue {
        .object([
            JSONMember("saved_joules", .number(advice.savedJoules)),
            JSONMember("message", .string(advice.message)),
        ])
    }

    private static func budget(_ verdict: AnalyzeBudgets.Verdict) -> JSONValue {
        .object([
            JSONMember("metric", .string(verdict.metric)),
            JSONMember("rule", .string(verdict.text)),
            JSONMember("limit", .optional(verdict.limit)),
            JSONMember("value", .optional(verdict.value)),
            JSONMember("verdict", .string(verdict.word)),
        ])
    }
}
