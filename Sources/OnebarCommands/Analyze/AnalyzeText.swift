import CaptureAnalysis
import Foundation
import PhoneModel
import Quantities
import Trace

/// The report of a capture for a terminal.
enum AnalyzeText {
    /// Hosts, bursts and paths beyond these are counted, not listed.
    private static let most = 10

    static func lines(_ report: CaptureReport, _ verdicts: [AnalyzeBudgets.Verdict]) -> [String] {
        var lines = head(report)
        lines += states(report) + hosts(report) + bursts(report) + periods(report)
        lines += findings(report) + advice(report) + budgets(verdicts)
        return lines
    }

    private static func head(_ report: CaptureReport) -> [String] {
        let radios = report.radios.map { radio in
            "\(radio.name) (\(radio.year), grade \(radio.grade.rawValue))"
        }
        var lines = [
            "\(report.path): \(number(report.joules, 4)) J on \(radios.joined(separator: " and "))",
            "  mode \(report.mode.rawValue), \(report.packets) packets in "
                + "\(report.length.compactText), \(ByteCount(report.upBytes)) up, "
                + "\(ByteCount(report.downBytes)) down",
        ]
        if !report.deviceAddresses.isEmpty {
            lines.append("  device \(report.deviceAddresses.prefix(4).joined(separator: ", "))")
        }
        lines += [
            "  of it \(number(report.joules(.idle), 4)) J idle and \(number(report.onJoules, 4)) J "
                + "beyond (radio.energy_j), tails \(number(report.tailJoules, 4)) J "
                + "(\(number(report.tailShare, 1)) % of that)",
            "  \(promotions(report)), radio on for \(number(report.onSeconds, 3)) s",
        ]
        if report.cutTailJoules > 0 {
            lines.append(
                "  the capture ends within a tail: \(number(report.cutTailJoules, 4)) J more "
                    + "would follow and are not counted"
            )
        }
        return lines
    }

    /// How often the radio went up, as words.
    static func promotions(_ report: CaptureReport) -> String {
        "\(report.promotions) promotion\(report.promotions == 1 ? "" : "s")"
    }

    private static func states(_ report: CaptureReport) -> [String] {
        let several = report.radios.count > 1
        let rows = report.states.map { state in
            [
                several ? "\(state.radio) \(state.state)" : state.state, state.kind.rawValue,
                "\(state.count)", number(state.seconds, 3), number(state.joules, 6),
            ]
        }
        return ["", "energy by state"] + table(["state", "kind", "times", "s", "J"], rows)
    }

    private static func hosts(_ report: CaptureReport) -> [String] {
        var rows: [[String]] = []
        for host in report.hosts.prefix(most) {
            rows.append(row(host.host, host.packets, host.joules, host.tailJoules))
            for path in host.paths.prefix(5) {
                rows.append(row("  " + path.path, path.packets, path.joules, path.tailJoules))
            }
        }
        let rest = report.hosts.dropFirst(most)
        var lines = ["", "cost by host"] + table(["host", "packets", "J", "of it tail"], rows)
        if !rest.isEmpty {
            let joules = rest.reduce(0) { $0 + $1.joules }
            lines.append("  and \(rest.count) more hosts with \(number(joules, 4)) J")
        }
        return lines
    }

    private static func row(
        _ name: String,
        _ packets: Int,
        _ joules: Double,
        _ tail: Double
    ) -> [String] {
        let share = joules > 0 ? tail / joules * 100 : 0
        return [clipped(name), "\(packets)", number(joules, 4), "\(number(share, 0)) %"]
    }

    private static func bursts(_ report: CaptureReport) -> [String] {
        var rows: [[String]] = []
        for category in Burst.Category.allCases {
            let own = report.bursts.filter { $0.burst.category == category }
            guard !own.isEmpty else { continue }
            let joules = own.reduce(0) { $0 + $1.burst.energy.inJoules }
            rows.append([category.rawValue, "\(own.count)", number(joules, 4)])
        }
        return ["", "bursts by category"] + table(["category", "bursts", "J"], rows)
    }

    private static func periods(_ report: CaptureReport) -> [String] {
        guard !report.periods.isEmpty else { return [] }
        let rows = report.periods.prefix(most).map { period in
            [
                clipped(period.host), number(period.period.inSeconds, 1), "\(period.count)",
                number(period.joules, 4),
            ]
        }
        return ["", "periodic transfers"] + table(["host", "every s", "times", "J"], rows)
    }

    private static func findings(_ report: CaptureReport) -> [String] {
        ["", "findings"]
            + report.findings.map { "  \($0.verdict.rawValue)  \($0.rule): \($0.message)" }
    }

    private static func advice(_ report: CaptureReport) -> [String] {
        guard !report.advice.isEmpty else { return [] }
        return ["", "what would have saved most"]
            + report.advice.map { "  \(number($0.savedJoules, 3)) J  \($0.message)" }
    }

    private static func budgets(_ verdicts: [AnalyzeBudgets.Verdict]) -> [String] {
        guard !verdicts.isEmpty else { return [] }
        return ["", "budgets"]
            + verdicts.map { verdict in
                let value = verdict.value.map { number($0, 4) } ?? "no value"
                return "  \(verdict.word)  \(verdict.metric) \(verdict.text): \(value)"
            }
    }

    private static func table(_ header: [String], _ rows: [[String]]) -> [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            var line = " "
            for (column, cell) in row.enumerated() {
                let gap = String(repeating: " ", count: widths[column] - cell.count)
                line += " " + (column == 0 ? cell + gap : gap + cell) + " "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private static func clipped(_ text: String) -> String {
        text.count > 56 ? text.prefix(55) + "…" : text
    }

    /// A decimal with exactly so many places, the same on every machine.
    static func number(_ value: Double, _ places: Int) -> String {
        String(format: "%.\(places)f", value)
    }
}
