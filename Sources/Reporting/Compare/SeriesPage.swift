import Measurements

/// A page with one metric over runs: a chart of p50 and p95, and the table behind it.
package struct SeriesPage {
    /// One run.
    package struct Point: Sendable {
        let label: String
        let recorded: String
        let median: Double
        let upper: Double
        let count: Int
        let verdict: String

        /// Makes a point; `upper` is the 95th percentile.
        package init(
            label: String,
            recorded: String,
            median: Double,
            upper: Double,
            count: Int,
            verdict: String
        ) {
            self.label = label
            self.recorded = recorded
            self.median = median
            self.upper = upper
            self.count = count
            self.verdict = verdict
        }
    }

    private let title: String
    private let metric: MetricName
    private let points: [Point]

    /// Makes a page of `points`, oldest first; there is at least one.
    package init(title: String, metric: MetricName, points: [Point]) {
        precondition(!points.isEmpty, "a chart of '\(metric)' has no point")
        self.title = title
        self.metric = metric
        self.points = points
    }

    /// The page: no script, no font, no image from elsewhere.
    package var text: String {
        let shown = MarkupText.escaped(title)
        var page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
        page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
        page += "<meta name=\"color-scheme\" content=\"light dark\" />\n<title>\(shown)</title>\n"
        page += "<style>\n\(ReportStyle.text)\n\(Self.style)\n</style>\n</head>\n<body>\n<main>\n"
        page += "<p class=\"kicker\">Onebar history</p>\n<h1>\(shown)</h1>\n"
        if let meaning = metric.definition?.meaning {
            page += "<p class=\"soft\">\(MarkupText.escaped(meaning))</p>\n"
        }
        // Letters of one size on either screen: a chart that is scaled to a phone has none to read.
        page += "<div class=\"card\">\n\(chart(width: 900, "wide"))\(chart(width: 330, "narrow"))"
        page += "<p class=\"soft keys\"><span class=\"k50\">p50</span> "
        page += "<span class=\"k95\">p95</span> over the seeds of each run, oldest first; "
        page += "the axis begins at zero. A hollow mark is a run that failed.</p>\n</div>\n"
        page += table
        return page + "</main>\n</body>\n</html>\n"
    }

    private static let style = """
        svg.series{display:block;width:100%;height:auto}svg.narrow{display:none}
        time{color:var(--soft)}time span{white-space:nowrap}
        @media (max-width:640px){svg.wide{display:none}svg.narrow{display:block}
        th,td{padding-right:8px}td.n{white-space:normal}}
        svg.series text{font-size:12px;fill:var(--soft)}
        svg.series .axis{stroke:var(--line)}
        svg.series .p50{stroke:var(--active)}svg.series .p95{stroke:var(--tail)}
        svg.series path{fill:none;stroke-width:2}
        svg.series circle{stroke-width:2}
        svg.series circle.p50{fill:var(--active)}svg.series circle.p95{fill:var(--tail)}
        svg.series circle.failed{fill:var(--card)}
        .keys span{font-weight:650}.k50{color:var(--active)}
        .k95{border-bottom:3px solid var(--tail);color:var(--ink)}
        """

    private func chart(width: Double, _ kind: String) -> String {
        let height = 240.0
        let top = max(points.map { max($0.median, $0.upper) }.max() ?? 0, 1e-12) * 1.08
        let (left, right, bottom) = (84.0, 14.0, 22.0)
        func x(_ index: Int) -> Double {
            guard points.count > 1 else { return (left + width - right) / 2 }
            return left + (width - left - right) * Double(index) / Double(points.count - 1)
        }
        func y(_ value: Double) -> Double {
            8 + (height - bottom - 8) * (1 - max(0, value) / top)
        }
        func tenth(_ value: Double) -> String { MetricUnit.decimal(value, places: 1) }
        let last = points[points.count - 1]
        let unit = metric.unit
        var text =
            "<svg class=\"series \(kind)\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" role=\"img\">"
        text += "<title>\(MarkupText.escaped(title)): p50 from "
        text += "\(unit.text(for: points[0].median)) to \(unit.text(for: last.median)), p95 from "
        text += "\(unit.text(for: points[0].upper)) to \(unit.text(for: last.upper)) over "
        text += "\(points.count) runs</title>\n"
        for step in 0...4 {
            let value = top * Double(step) / 4
            text += "<line class=\"axis\" x1=\"\(left)\" x2=\"\(width - right)\" "
            text += "y1=\"\(tenth(y(value)))\" y2=\"\(tenth(y(value)))\"/>"
            text += "<text x=\"\(left - 8)\" y=\"\(tenth(y(value) + 4))\" text-anchor=\"end\">"
            text += "\(MarkupText.escaped(unit.text(for: value)))</text>\n"
        }
        for (name, value) in [("p95", \Point.upper), ("p50", \Point.median)] {
            let steps = points.enumerated().map { index, point in
                "\(index == 0 ? "M" : "L")\(tenth(x(index))) \(tenth(y(point[keyPath: value])))"
            }
            text += "<path class=\"\(name)\" d=\"\(steps.joined())\"/>\n"
            for (index, point) in points.enumerated() {
                let failed = point.verdict == "fail" ? " failed" : ""
                text += "<circle class=\"\(name)\(failed)\" cx=\"\(tenth(x(index)))\" "
                text += "cy=\"\(tenth(y(point[keyPath: value])))\" r=\"3.5\"><title>"
                text += MarkupText.escaped(
                    "\(point.label), \(point.recorded): \(name) "
                        + "\(unit.text(for: point[keyPath: value])), \(Self.word(point.verdict))"
                )
                text += "</title></circle>\n"
            }
        }
        text +=
            "<text x=\"\(left)\" y=\"\(Int(height) - 4)\">\(MarkupText.escaped(points[0].label))"
        text += "</text>"
        if points.count > 1 {
            text += "<text x=\"\(width - right)\" y=\"\(Int(height) - 4)\" text-anchor=\"end\">"
            text += "\(MarkupText.escaped(last.label))</text>"
        }
        return text + "</svg>\n"
    }

    private var table: String {
        var text = "<h2>Runs</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        text += "aria-label=\"Runs\">\n<table><thead><tr><th>commit, recorded</th>"
        text += "<th class=\"n\">n</th><th class=\"n\">p50</th><th class=\"n\">p95</th>"
        text += "<th>verdict</th></tr></thead>\n<tbody>\n"
        for point in points.reversed() {
            // Date and time go below the commit where there is no room beside it.
            let recorded = point.recorded.split(separator: "T").map {
                "<span>\(MarkupText.escaped(String($0)))</span>"
            }
            text += "<tr><td><code>\(MarkupText.escaped(point.label))</code> "
            text += "<time>\(recorded.joined(separator: " "))</time></td>"
            text += "<td class=\"n\">\(point.count)</td>"
            text +=
                "<td class=\"n\">\(MarkupText.escaped(metric.unit.text(for: point.median)))</td>"
            text += "<td class=\"n\">\(MarkupText.escaped(metric.unit.text(for: point.upper)))</td>"
            text += "<td><span class=\"badge b-\(MarkupText.escaped(point.verdict))\">"
            text += "\(MarkupText.escaped(Self.word(point.verdict)))</span></td></tr>\n"
        }
        return text + "</tbody></table>\n</div>\n"
    }

    /// A stored verdict as it is read: "not decided".
    private static func word(_ verdict: String) -> String { verdict.replacing("-", with: " ") }
}
