import Budgets
import Measurements

/// The gate's `summary.md`: one comment on a change that a bot keeps up to date, under 40 lines.
package enum GateMarkdown {
    private static let rows = 12
    private static let reasonRows = 8

    /// The comment of `report`, which begins with a mark by which a bot finds and replaces it.
    package static func text(of report: GateReport) -> String {
        let run = report.run
        var lines = [
            "<!-- onebar:gate:\(run.profile) -->", "### \(title(of: report))", "",
            SeedListText.counted(run.seeds.map(\.seed))
                + (report.verdict.comparisons.isEmpty ? "" : " paired with the baseline")
                + ", \(run.mode) mode, fingerprint `\(run.fingerprint)`",
        ]
        lines += list("Why", report.verdict.reasons)
        lines += replays(of: report)
        lines += table(of: report)
        lines += list("Also", report.verdict.warnings + report.explored)
        if let resolution = report.resolution { lines += ["", "Seen: \(escaped(resolution))."] }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func title(of report: GateReport) -> String {
        "Onebar gate \(report.run.profile): \(SummaryMarkdown.word(for: report.verdict.verdict))"
    }

    private static func list(_ title: String, _ sentences: [String]) -> [String] {
        guard !sentences.isEmpty else { return [] }
        let shown = sentences.prefix(reasonRows).map { "- \(escaped($0))" }
        let rest = sentences.count - reasonRows
        return ["", "**\(title)**", ""] + shown + (rest > 0 ? ["- and \(rest) more"] : [])
    }

    private static func replays(of report: GateReport) -> [String] {
        let excused = Set(report.verdict.excused.map(\.failure.name))
        guard
            let breach = report.run.breaches.first(where: {
                !excused.contains($0.guarantee.text)
            })
        else { return [] }
        return ["", "Replay: `\(report.run.replay(breach.seed))`"]
    }

    private static func table(of report: GateReport) -> [String] {
        let comparisons = report.verdict.comparisons
        guard !comparisons.isEmpty else { return [] }
        let sorted = GateComparison.Kind.allCases.flatMap { kind in
            comparisons.filter { $0.kind == kind }
        }
        var lines = ["", "| metric | baseline | now | change | |", "|---|---:|---:|---:|---|"]
        for comparison in sorted.prefix(rows) {
            let unit = comparison.metric.name.unit
            lines.append(
                "| `\(comparison.metric.name)` | \(unit.text(for: comparison.before)) | "
                    + "\(unit.text(for: comparison.after)) | "
                    + "\(comparison.changeText)\(comparison.marginText) | "
                    + "\(comparison.kind.rawValue) |"
            )
        }
        if comparisons.count > rows { lines += ["", "and \(comparisons.count - rows) more"] }
        return lines
    }

    private static func escaped(_ text: String) -> String { SummaryMarkdown.escaped(text) }
}
