import Budgets
import Foundation
import Measurements

/// `reports/baselines/NAME.json`: small and ordered, so that a change of it can be reviewed.
package enum BaselineFile {
    /// The name of the format.
    package static let format = "onebar.baseline/1"

    /// The text of `baseline`, a metric a line.
    package static func text(of baseline: BudgetBaseline) -> String {
        let seeds = baseline.seeds.map { JSONValue.string(String($0)).text }
        var text = "{\n  \"format\": \"\(format)\",\n"
        text += "  \"profile\": \(JSONValue.quoted(baseline.profile)),\n"
        text += "  \"seeds\": [\(seeds.joined(separator: ", "))],\n  \"metrics\": {\n"
        let lines = baseline.metrics.map { metric in
            "    \(JSONValue.quoted(metric.name.text)): \(line(of: metric))"
        }
        return text + lines.joined(separator: ",\n") + "\n  }\n}\n"
    }

    private static func line(of metric: BaselineMetric) -> String {
        var members = [
            JSONMember("unit", .string(metric.name.unit.rawValue)),
            JSONMember("n", .integer(Int64(metric.count))),
        ]
        members += Statistic.allCases.map { JSONMember($0.rawValue, .number(metric[$0])) }
        members.append(JSONMember("sd", .number(metric.deviation)))
        if let perSeed = metric.perSeed {
            members.append(JSONMember("per_seed", .array(perSeed.map { .number($0) })))
        }
        return JSONValue.object(members).text
    }

    /// Writes `baseline` to `path`, whole or not at all.
    package static func write(
        _ baseline: BudgetBaseline,
        to path: String
    ) throws(ReportError) {
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text(of: baseline).utf8).write(to: url, options: .atomic)
        } catch {
            throw ReportError(
                path: path,
                problem: "cannot be written",
                remedy: "make its folder writable or name another file"
            )
        }
    }

    /// Reads the baseline at `path`; `nil` if there is none.
    package static func read(_ path: String) throws(ReportError) -> BudgetBaseline? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ReportError(
                path: path,
                problem: "cannot be read",
                remedy: "make it readable",
                exitCode: 66
            )
        }
        let file: Stored
        do {
            file = try JSONDecoder().decode(Stored.self, from: data)
        } catch {
            throw ReportError(
                path: path,
                problem: "is not a baseline",
                remedy: remedy,
                exitCode: 65
            )
        }
        guard file.format == format else {
            throw ReportError(
                path: path,
                problem: "has the format '\(file.format)', not '\(format)'",
                remedy: remedy,
                exitCode: 65
            )
        }
        return BudgetBaseline(
            profile: file.profile,
            seeds: file.seeds.compactMap { UInt64($0) },
            metrics: file.metrics.map { name, metric in metric.baseline(named: name) }
        )
    }

    private static let remedy = "onebar gate NAME --update writes it anew"

    private struct Stored: Decodable {
        let format: String
        let profile: String
        let seeds: [String]
        let metrics: [String: StoredMetric]
    }

    private struct StoredMetric: Decodable {
        let n: Int
        let min: Double
        let mean: Double
        let p50: Double
        let p90: Double
        let p95: Double
        let p99: Double
        let max: Double
        let sd: Double
        let perSeed: [Double]?

        enum CodingKeys: String, CodingKey {
            case n
            case min
            case mean
            case p50
            case p90
            case p95
            case p99
            case max
            case sd
            case perSeed = "per_seed"
        }

        func baseline(named name: String) -> BaselineMetric {
            BaselineMetric(
                name: MetricName(name),
                count: n,
                statistics: [min, mean, p50, p90, p95, p99, max],
                deviation: sd,
                perSeed: perSeed
            )
        }
    }
}
