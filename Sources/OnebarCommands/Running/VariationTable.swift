import Budgets
import Measurements
import Quantities
import Reporting

/// One table of what differs between the values of a key, all run on the same seeds.
struct VariationTable {
    private let key: String
    private let runs: [(profile: VariedProfile, run: ProfileRun)]

    /// Makes a table of runs in the order of the values.
    init(_ key: String, _ runs: [(VariedProfile, ProfileRun)]) {
        self.key = key
        self.runs = runs.map { (profile: $0.0, run: $0.1) }
    }

    /// The table, a row a metric whose p50 or p95 differs; the verdicts last.
    var text: String {
        var rows = [["p50 / p95 over the seeds"] + runs.map { "\(key)=\($0.profile.value ?? "")" }]
        let summaries = runs.map { MetricSummary.all(of: $0.run.seeds) }
        var names: [MetricName] = []
        for summary in summaries.joined() where !names.contains(summary.name) {
            names.append(summary.name)
        }
        var alike = 0
        for name in names {
            let found = summaries.map { $0.first { $0.name == name } }
            let cells = found.map { Self.cell($0) }
            guard Set(cells).count > 1 else {
                alike += 1
                continue
            }
            rows.append([name.text] + cells)
        }
        rows.append(["broken guarantees"] + runs.map { Self.guarantees(of: $0.run) })
        rows.append(
            ["broken budgets"]
                + runs.map { pair in "\(pair.run.budgets.count { $0.verdict == .fail })" }
        )
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let pad = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + pad : pad + cell.0
            }.joined(separator: "  ")
        }
        if alike > 0 {
            let noun = alike == 1 ? "metric is" : "metrics are"
            lines.append("\(alike) further \(noun) the same for every value")
        }
        return lines.joined(separator: "\n")
    }

    private static func cell(_ summary: MetricSummary?) -> String {
        guard let summary else { return "-" }
        let unit = summary.name.unit
        return "\(unit.text(for: summary[.p50])) / \(unit.text(for: summary[.p95]))"
    }

    private static func guarantees(of run: ProfileRun) -> String {
        let names = Set(run.breaches.map(\.guarantee.text)).sorted()
        return names.isEmpty ? "0" : names.joined(separator: ", ")
    }
}
