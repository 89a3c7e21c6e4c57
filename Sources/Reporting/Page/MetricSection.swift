import Budgets
import Measurements

/// Every figure with p50 and p95, and what changed against the baseline.
enum MetricSection {
    static func text(of run: ProfileRun) -> String {
        let summaries = MetricSummary.all(of: run.seeds)
        guard !summaries.isEmpty else { return "" }
        var text = "<section aria-labelledby=\"figures\">\n<h2 id=\"figures\">Figures</h2>\n"
        text += "<p class=\"soft\">Statistics by nearest rank over all seeds, and over the samples "
        text += "within them where a seed has several."
        if run.baseline != nil {
            text += " The last column is the change of p50 against the committed baseline over the "
            text += "same seeds; a dash where it has not kept their values."
        }
        text += "</p>\n<div class=\"card scroll\" tabindex=\"0\">"
        text += "<table class=\"figures\(run.baseline == nil ? "" : " compared")\"><thead>"
        text += "<tr><th>metric</th>"
        for column in ["n", "lowest", "p50", "p95", "highest"] {
            text += "<th class=\"n\">\(column)</th>"
        }
        if run.baseline != nil { text += "<th class=\"n\">p50, change</th>" }
        text += "</tr></thead><tbody>\n"
        var subject = ""
        for summary in summaries {
            if summary.name.subject != subject {
                subject = summary.name.subject
                text += "<tr class=\"group\"><th colspan=\"\(run.baseline == nil ? 6 : 7)\" "
                text += "scope=\"colgroup\">\(MarkupText.escaped(subject))</th></tr>\n"
            }
            text += row(summary, baseline: run.baseline, seeds: run.seeds.map(\.seed))
        }
        return text + "</tbody></table></div>\n</section>\n"
    }

    private static func row(
        _ summary: MetricSummary,
        baseline: BudgetBaseline?,
        seeds: [UInt64]
    ) -> String {
        let unit = summary.name.unit
        var text = "<tr><td><code>\(MarkupText.escaped(summary.name.text))</code></td>"
        text += "<td class=\"n\">\(MetricUnit.count.text(for: Double(summary.count)))</td>"
        for statistic in [Statistic.min, .p50, .p95, .max] {
            text += "<td class=\"n\">\(MarkupText.escaped(unit.text(for: summary[statistic])))</td>"
        }
        if let baseline {
            let isKnown = baseline.value(.p50, of: summary.name) != nil
            let before = baseline.comparableMedian(summary, over: seeds)
            let change = isKnown ? change(of: summary[.p50], from: before) : "new"
            text += "<td class=\"n\">\(MarkupText.escaped(change))</td>"
        }
        return text + "</tr>\n"
    }

    private static func change(of value: Double, from before: Double?) -> String {
        guard let before else { return "–" }
        if value == before { return "same" }
        guard before != 0 else { return "from 0" }
        let percent = (value / before - 1) * 100
        let digits = MetricUnit.decimal(percent, places: 1)
        return (percent > 0 && digits != "0" ? "+" : "") + digits + " %"
    }
}
