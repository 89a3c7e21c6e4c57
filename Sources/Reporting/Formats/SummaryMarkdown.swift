import Budgets
import Measurements
import Quantities

/// `summary.md`: what a change's reviewer reads, in fewer than 40 lines.
package enum SummaryMarkdown {
    private static let budgetRows = 12
    private static let storyRows = 4

    /// The comment of `run`, which begins with a mark by which a bot finds and replaces it.
    package static func text(of run: ProfileRun) -> String {
        var lines = ["<!-- onebar:\(run.profile) -->"]
        lines.append("### \(title(of: run))")
        lines.append("")
        lines.append(
            "\(SeedListText.counted(run.seeds.map(\.seed))), "
                + "\(run.mode) mode, radio \(radios(of: run)), fingerprint `\(run.fingerprint)`"
        )
        lines += stories(of: run)
        lines += budgets(of: run)
        lines += reasons(of: run)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func title(of run: ProfileRun) -> String {
        "\(run.profile): \(word(for: run.verdict.verdict))"
    }

    /// The word of a verdict, in bold where something has to be done.
    static func word(for verdict: RunVerdict.Kind) -> String {
        switch verdict {
        case .pass, .warn: verdict.text
        case .fail, .undecided: "**\(verdict.text)**"
        }
    }

    private static func radios(of run: ProfileRun) -> String {
        run.radios.isEmpty ? "none" : run.radios.map(\.text).joined(separator: ", ")
    }

    private static func stories(of run: ProfileRun) -> [String] {
        var seen: Set<GuaranteeName> = []
        let firsts = run.breaches.filter { seen.insert($0.guarantee).inserted }
        guard !firsts.isEmpty else { return [] }
        var lines = ["", "**Broken guarantees**", ""]
        for breach in firsts.prefix(storyRows) {
            let seeds = run.seeds.count {
                $0.breaches.contains { $0.guarantee == breach.guarantee }
            }
            lines.append(
                "- `\(breach.guarantee)` in \(seeds) of \(run.seeds.count) seeds: "
                    + "\(escaped(breach.message)). Replay: `\(run.replay(breach.seed))`"
            )
        }
        if firsts.count > storyRows {
            lines.append("- and \(firsts.count - storyRows) more in the report")
        }
        return lines
    }

    private static func budgets(of run: ProfileRun) -> [String] {
        guard !run.budgets.isEmpty else { return [] }
        let sorted = BudgetVerdict.Kind.tableOrder.flatMap { kind in
            run.budgets.filter { $0.verdict == kind }
        }
        var lines = ["", "| budget | value | limit | |", "|---|---:|---:|---|"]
        for verdict in sorted.prefix(budgetRows) {
            let unit = verdict.metric.unit
            let value = verdict.value.map(unit.text(for:)) ?? "none"
            let limit =
                verdict.limit == nil
                ? "no baseline"
                : "\(escaped(verdict.rule.comparison.rawValue)) \(escaped(verdict.limitText))"
            lines.append(
                "| `\(verdict.metric)` \(verdict.statistic.rawValue) | \(value) | "
                    + "\(limit) | "
                    + "\(verdict.verdict.rawValue.replacing("-", with: " ")) |"
            )
        }
        if run.budgets.count > budgetRows {
            lines.append("")
            let rest = sorted.dropFirst(budgetRows)
            let idle = rest.count { $0.verdict == .notJudged }
            let note = idle == 0 ? "" : ", \(idle) of them not judged"
            lines.append("and \(rest.count) more in the report\(note)")
        }
        return lines
    }

    /// What neither a story nor a budget says: faults that never fired, seeds that differ.
    private static func reasons(of run: ProfileRun) -> [String] {
        let told = Set(run.budgets.map(\.sentence) + run.budgets.map { "warning: \($0.sentence)" })
        let guarantees = Set(run.breaches.map(\.guarantee.text))
        let rest = run.verdict.reasons.filter { reason in
            !told.contains(reason) && !guarantees.contains { reason.hasPrefix("\($0) broke") }
        }
        guard !rest.isEmpty else { return [] }
        return ["", "**Also**", ""] + rest.prefix(5).map { "- \(escaped($0))" }
    }

    /// Without what Markdown or HTML would read as markup.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "|", "*", "_", "`", "[", "]", "\\": escaped += "\\\(character)"
            case "\n", "\r", "\r\n": escaped += " "
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
