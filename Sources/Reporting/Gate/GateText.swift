import Budgets
import Measurements

/// What `onebar gate` prints: readable at 80 columns, with or without colour.
package struct GateText {
    private let report: GateReport
    private let paint: TerminalPaint

    /// Makes the text; `isColored` is false for files, pipes and NO_COLOR.
    package init(_ report: GateReport, isColored: Bool) {
        self.report = report
        paint = TerminalPaint(isColored: isColored)
    }

    /// The text, with a line break at its end.
    package var text: String {
        var lines = [head]
        lines += report.verdict.reasons.flatMap { wrapped(paint.bad("! "), $0) }
        lines += report.verdict.warnings.flatMap { wrapped(paint.warning("~ "), $0) }
        lines += report.explored.flatMap { wrapped(paint.warning("? "), $0) }
        lines += table
        return lines.joined(separator: "\n") + "\n"
    }

    private var head: String {
        let word = paint.word(for: report.verdict.verdict)
        let seeds = report.run.seeds.map(\.seed)
        let looks =
            report.looks.planned > 1
            ? ", look \(report.looks.taken) of at most \(report.looks.planned)" : ""
        return "\(paint.strong("gate \(report.run.profile)"))  \(word)  "
            + "\(SeedListText.counted(seeds))\(looks)"
    }

    private var table: [String] {
        let comparisons = report.verdict.comparisons
        guard !comparisons.isEmpty else { return [] }
        var lines = ["", paint.strong(row("", "baseline", "now", "change ± (99 %)"))]
        for comparison in comparisons {
            let unit = comparison.metric.name.unit
            let word: String
            switch comparison.kind {
            case .same: word = paint.good("same ")
            case .better: word = paint.good("less ")
            case .worse: word = paint.bad("WORSE")
            case .inconclusive: word = paint.warning("open ")
            case .unpaired: word = paint.warning("none ")
            }
            let isMore = comparison.kind == .better && comparison.metric.isHigherBetter
            let shown = isMore ? paint.good("more ") : word
            lines.append(
                shown
                    + row(
                        comparison.metric.name.text,
                        unit.text(for: comparison.before),
                        unit.text(for: comparison.after),
                        comparison.changeText + comparison.marginText
                    ).dropFirst(5)
            )
        }
        if let resolution = report.resolution {
            lines += wrapped("      ", resolution).map(paint.faint)
        }
        return lines
    }

    private func row(_ name: String, _ first: String, _ second: String, _ third: String)
        -> String
    {
        // A duration takes 13 columns: "10 min 14.3 s".
        "      " + padded(name, 28) + left(first, 14) + left(second, 14) + left(third, 18)
    }

    private func padded(_ text: String, _ count: Int) -> String {
        text + String(repeating: " ", count: max(0, count - text.count))
    }

    private func left(_ text: String, _ count: Int) -> String {
        String(repeating: " ", count: max(1, count - text.count)) + text
    }

    /// `text` after `prefix`, broken between words at 80 columns, further lines indented.
    private func wrapped(_ prefix: String, _ text: String) -> [String] {
        let indent = prefix.hasPrefix(" ") ? prefix : "  "
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > 80 - indent.count, !line.isEmpty {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        lines.append(line)
        return lines.enumerated().map { ($0.offset == 0 ? prefix : indent) + $0.element }
    }
}
