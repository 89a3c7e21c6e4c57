import Budgets
import Measurements

/// `metrics.txt`: figures as OpenMetrics text (version 1.0.0), which GitLab compares in a merge request.
package enum OpenMetricsText {
    /// The statistics that are exported.
    private static let statistics: [Statistic] = [.p50, .p95, .max]

    /// The figures of all runs: a family a metric, a sample a profile and statistic.
    package static func text(of runs: [ProfileRun]) -> String {
        let summaries = runs.map { run in (run: run, all: MetricSummary.all(of: run.seeds)) }
        var names: [MetricName] = []
        for summary in summaries.flatMap(\.all) where !names.contains(summary.name) {
            names.append(summary.name)
        }
        var text = ""
        for name in names.sorted() {
            let family = familyName(of: name)
            text += "# TYPE \(family.name) gauge\n"
            if let unit = family.unit { text += "# UNIT \(family.name) \(unit)\n" }
            if let meaning = name.definition?.meaning {
                text += "# HELP \(family.name) \(escaped(meaning))\n"
            }
            for (run, all) in summaries {
                guard let summary = all.first(where: { $0.name == name }) else { continue }
                for statistic in statistics {
                    text += "\(family.name){profile=\"\(escaped(run.profile))\","
                    text += "statistic=\"\(statistic.rawValue)\"} "
                    text += JSONValue.text(of: summary[statistic]) + "\n"
                }
            }
        }
        return text + "# EOF\n"
    }

    /// The name of a family: letters, digits and underscores, its unit in full at the end.
    private static func familyName(of metric: MetricName) -> (name: String, unit: String?) {
        var name = "onebar_"
        for character in metric.text.unicodeScalars {
            let isPlain = character.isASCII && character.properties.isAlphabetic
            let isDigit = ("0"..."9").contains(character)
            name.unicodeScalars.append(isPlain || isDigit ? character : "_")
        }
        let unit: String
        let short: String
        switch metric.unit {
        case .seconds: (short, unit) = ("_s", "seconds")
        case .milliseconds: (short, unit) = ("_ms", "milliseconds")
        case .joules: (short, unit) = ("_j", "joules")
        case .bytes: (short, unit) = ("_bytes", "bytes")
        case .percent: (short, unit) = ("_pct", "percent")
        case .count, .ratio, .millisecondsPerSecond: return (name, nil)
        }
        if name.hasSuffix(short) { name.removeLast(short.count) }
        return ("\(name)_\(unit)", unit)
    }

    /// As the text format has it: backslash, quote and line feed by escapes.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}
