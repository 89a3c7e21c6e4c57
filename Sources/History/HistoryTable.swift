import Measurements

/// A metric over commits as a table of text: what `onebar history` prints.
package struct HistoryTable: Equatable, Sendable {
    /// What stands over the columns.
    package let header: [String]
    /// One row a run, oldest first.
    package let rows: [[String]]

    /// Makes a table: number, time, commit, n, p50 and p95 with the change of each, verdict.
    package init(_ points: [HistoryPoint], of metric: MetricName) {
        let unit = metric.unit
        header = ["run", "recorded", "commit", "n", "p50", "change", "p95", "change", "verdict"]
        var before: HistoryPoint?
        rows = points.map { point in
            defer { before = point }
            return [
                "\(point.run)", point.recordedAt, String(point.commit.prefix(12)),
                "\(point.count)", unit.text(for: point[.p50]),
                Self.change(from: before?[.p50], to: point[.p50]), unit.text(for: point[.p95]),
                Self.change(from: before?[.p95], to: point[.p95]),
                point.verdict.replacing("-", with: " "),
            ]
        }
    }

    /// The table with columns aligned; two spaces between them, no trailing space.
    package var text: String {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    /// The change in percent with one decimal; empty without a value to compare with.
    private static func change(from old: Double?, to new: Double) -> String {
        guard let old, old != 0 else { return "" }
        let tenths = ((new - old) / old * 1_000).rounded()
        guard tenths != 0 else { return "0%" }
        let magnitude = Int64(tenths.magnitude)
        return "\(tenths < 0 ? "-" : "+")\(magnitude / 10).\(magnitude % 10)%"
    }
}
