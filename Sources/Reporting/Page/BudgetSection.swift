import Budgets
import Measurements

/// Budgets as bars against their limits, with one tick for each seed.
enum BudgetSection {
    /// Width of the drawing, in its own units.
    private static let width = 2_000.0

    static func text(of run: ProfileRun, _ page: PageVerdict) -> String {
        guard !run.budgets.isEmpty else { return "" }
        var text = "<section aria-labelledby=\"budgets\">\n<h2 id=\"budgets\">Budgets</h2>\n"
        text += "<p class=\"soft\">The bar is the statistic that is judged, the upright line its "
        text += "limit, and each fine tick the value of one seed or sample.</p>\n"
        for note in BudgetNotes.all(of: run) {
            text += "<p class=\"soft\">\(escaped(note.capitalizedFirst)).</p>\n"
        }
        text += "<div class=\"card\">\n"
        for kind in BudgetVerdict.Kind.tableOrder {
            for verdict in run.budgets where verdict.verdict == kind {
                text += row(verdict, page.excuse(of: GateFailure.name(of: verdict)), of: run)
            }
        }
        return text + "</div>\n</section>\n"
    }

    private static func row(
        _ verdict: BudgetVerdict,
        _ excuse: String?,
        of run: ProfileRun
    ) -> String {
        let kind = excuse == nil ? verdict.verdict.rawValue : "warn"
        let word = excuse != nil ? "excused" : kind.replacing("-", with: " ")
        var text = "<div class=\"budget\">\n<div class=\"b-head\"><span class=\"badge b-\(kind)\">"
        text += "\(word)</span> <span><code>\(escaped(verdict.metric.text))</code> "
        text += "<span class=\"rule\">\(escaped(verdict.rule.text))</span>"
        text += verdict.level == .warn ? " <span class=\"soft\">(warns only)</span>" : ""
        text += verdict.rule.pack.map { " <span class=\"soft\">(\(escaped($0)))</span>" } ?? ""
        text += "</span><span class=\"value\">"
        text += verdict.value.map { escaped(verdict.metric.unit.text(for: $0)) } ?? "untouched"
        text += "</span></div>\n"
        if let excuse { text += "<p class=\"soft\">\(escaped(excuse.capitalizedFirst)).</p>\n" }
        if let value = verdict.value { text += bar(verdict, value: value, of: run) }
        return text + "</div>\n"
    }

    private static func bar(_ verdict: BudgetVerdict, value: Double, of run: ProfileRun) -> String {
        let values = run.seeds.flatMap { seed in
            seed.metrics.first { $0.name == verdict.metric }?.values ?? []
        }
        let top = max(verdict.limit ?? 0, values.max() ?? 0, value) * 1.06
        guard top > 0 else { return "<p class=\"soft\">All values are zero.</p>\n" }
        func x(_ value: Double) -> Int { Int((max(0, value) / top * width).rounded()) }
        let label = "\(verdict.sentence); \(values.count) values"
        var text = "<svg viewBox=\"0 0 2000 30\" preserveAspectRatio=\"none\" role=\"img\">"
        text += "<title>\(escaped(label))</title>"
        text += "<rect class=\"track\" x=\"0\" y=\"0\" width=\"2000\" height=\"30\"/>"
        if let limit = verdict.limit {
            let isFloor = verdict.rule.comparison == .atLeast
            let (start, end) = isFloor ? (0, x(limit)) : (x(limit), Int(width))
            text +=
                "<rect class=\"over\" x=\"\(start)\" y=\"0\" width=\"\(end - start)\" height=\"30\"/>"
        }
        text += "<rect class=\"bar-\(verdict.verdict.rawValue)\" x=\"0\" y=\"4\" "
        text += "width=\"\(max(4, x(value)))\" height=\"11\"/>"
        text += "<path class=\"seeds\" d=\"\(ticks(values.map(x)))\"/>"
        if let limit = verdict.limit {
            text += "<path class=\"limit\" d=\"M\(x(limit)) 0v30\"/>"
        }
        text += "</svg>\n<div class=\"scale\">"
        if let limit = verdict.limit {
            let share = limit / top * 100
            let side =
                share > 60
                ? "right:\(percent(100 - share))" : "left:\(percent(share))"
            text +=
                "<span style=\"\(side)\">limit \(escaped(verdict.limitText))</span>"
        }
        return text + "</div>\n"
            + table(verdict, beside: (verdict.limit ?? top) / top * 100, of: run)
    }

    /// One tick for each place that has a value; places of one unit in 2,000 are joined.
    private static func ticks(_ places: [Int]) -> String {
        Set(places).sorted().map { "M\($0) 17v10" }.joined()
    }

    /// The values; their summary stands on the line of the limit if that is far enough to the right.
    private static func table(
        _ verdict: BudgetVerdict,
        beside limit: Double,
        of run: ProfileRun
    ) -> String {
        let unit = verdict.metric.unit
        // "Values by seed" takes a seventh of a desk's width and two fifths of a phone's.
        let place = limit > 45 ? " class=\"beside\"" : limit > 25 ? " class=\"beside desk\"" : ""
        var text =
            "<details\(place)><summary>Values by seed</summary><div class=\"scroll\" tabindex=\"0\">"
        text += "<table><thead><tr><th>seed</th><th class=\"n\">n</th><th class=\"n\">lowest</th>"
        text += "<th class=\"n\">mean</th><th class=\"n\">highest</th></tr></thead><tbody>\n"
        for seed in run.seeds {
            guard let reading = seed.metrics.first(where: { $0.name == verdict.metric }) else {
                text += "<tr><td>\(seed.seed)</td><td class=\"n\">0</td><td class=\"n\">none</td>"
                text += "<td class=\"n\">none</td><td class=\"n\">none</td></tr>\n"
                continue
            }
            text += "<tr><td>\(seed.seed)</td><td class=\"n\">\(reading.values.count)</td>"
            for statistic in [Statistic.min, .mean, .max] {
                let value = statistic.value(of: reading.values).map(unit.text(for:)) ?? "none"
                text += "<td class=\"n\">\(escaped(value))</td>"
            }
            text += "</tr>\n"
        }
        return text + "</tbody></table></div></details>\n"
    }

    static func percent(_ value: Double) -> String {
        MetricUnit.decimal(max(0, value), places: 2) + "%"
    }

    private static func escaped(_ text: String) -> String { MarkupText.escaped(text) }
}
