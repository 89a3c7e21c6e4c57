import Budgets
import Foundation
import Measurements
import Quantities

/// `reports/baselines/NAME.json`: small and ordered, so that a change of it can be reviewed.
package enum BaselineFile {
    /// The name of the format.
    package static let format = "onebar.baseline/1"

    /// The text of `baseline`, a metric a line.
    package static func text(of baseline: BudgetBaseline) -> String {
        let seeds = JSONText.quoted(SeedListText.text(baseline.seeds))
        var text = "{\n  \"format\": \"\(format)\",\n"
        text += "  \"profile\": \(JSONText.quoted(baseline.profile)),\n"
        if let origin = baseline.origin {
            let members = JSONValue.object([
                JSONMember("onebar", .string(origin.toolVersion)),
                JSONMember("mode", .string(origin.mode)),
                JSONMember("weather", .string(origin.weather)),
            ])
            text += "  \"made_by\": \(members.text),\n"
        }
        text += "  \"seeds\": \(seeds),\n  \"metrics\": {\n"
        let lines = baseline.metrics.map { metric in
            "    \(JSONText.quoted(metric.name.text)): \(line(of: metric))"
        }
        return text + lines.joined(separator: ",\n") + "\n  }\n}\n"
    }

    private static func line(of metric: BaselineMetric) -> String {
        var members = [
            JSONMember("unit", .string(metric.name.unit.rawValue)),
            JSONMember("n", .integer(Int64(metric.count))),
        ]
        members += Statistic.allCases.map { JSONMember($0.rawValue, .number(short(metric[$0]))) }
        members.append(JSONMember("sd", .number(short(metric.deviation))))
        if let perSeed = metric.perSeed {
            members.append(JSONMember("per_seed", .array(perSeed.map { .optional($0.map(short)) })))
        }
        return JSONValue.object(members).text
    }

    /// Nine significant digits: enough to tell a change of a billionth, and short enough to review.
    private static func short(_ value: Double) -> Double {
        guard value != 0, value.isFinite else { return value }
        return Double(String(format: "%.8e", value)) ?? value
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
        guard let seeds = SeedListText.seeds(file.seeds) else {
            throw ReportError(
                path: path,
                problem: "has no list of seeds in '\(file.seeds)'",
                remedy: remedy,
                exitCode: 65
            )
        }
        return BudgetBaseline(
            profile: file.profile,
            seeds: seeds,
            metrics: file.metrics.map { name, metric in metric.baseline(named: name) },
            origin: file.madeBy?.origin
        )
    }

    private static let remedy = "onebar gate NAME --update writes it anew"

    private struct Stored: Decodable {
        let format: String
        let profile: String
        let seeds: String
        let metrics: [String: StoredMetric]
        let madeBy: StoredOrigin?

        enum CodingKeys: String, CodingKey {
            case format
            case profile
            case seeds
            case metrics
            case madeBy = "made_by"
        }
    }

    private struct StoredOrigin: Decodable {
        let onebar: String
        let mode: String
        let weather: String

        var origin: BaselineOrigin {
            BaselineOrigin(toolVersion: onebar, mode: mode, weather: weather)
        }
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
        let perSeed: [Double?]?

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
