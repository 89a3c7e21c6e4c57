import Budgets
import CaptureAnalysis
import Foundation
import Measurements
import Profiles

/// Budgets for a capture: `{ "radio.energy_j": "max <= 50J" }`, or the same under `"budgets"`.
struct AnalyzeBudgets {
    private let rules: [BudgetRule]

    /// What a rule says of a capture, whose one value is every statistic.
    struct Verdict {
        let rule: BudgetRule
        let value: Double?
        let limit: Double?

        /// The metric's name.
        var metric: String { rule.metric.text }
        /// The rule as it was written.
        var text: String { rule.text }
        /// The capture has no such figure, or the limit needs a baseline.
        var isUntested: Bool { value == nil || limit == nil }
        /// Whether it breaks the limit.
        var isOver: Bool {
            guard let value, let limit else { return false }
            return !rule.comparison.holds(value, limit)
        }
        /// Whether it fails the command.
        var isBroken: Bool { isOver && rule.level == .fail }
        /// "pass", "warn", "fail" or "untested".
        var word: String {
            isUntested ? "untested" : !isOver ? "pass" : rule.level == .fail ? "fail" : "warn"
        }
    }

    /// Reads a file; throws every problem with its place.
    static func read(_ path: String, shown: String) throws(CommandFailure) -> AnalyzeBudgets {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(
                "\(shown): error: there is no such file (check the path)",
                code: .missingInput
            )
        }
        let root: JSONCValue
        do throws(ProfileError) {
            let document = try JSONCDocument.parse(bytes: Array(data), path: shown)
            root = document.root["budgets"] ?? document.root
        } catch {
            throw CommandFailure(error.problems.map(\.description), code: .badInput)
        }
        guard let members = root.members, !members.isEmpty else {
            throw CommandFailure(
                "\(shown): error: no budget in it (write { \"radio.energy_j\": \"max <= 50J\" })",
                code: .badInput
            )
        }
        var rules: [BudgetRule] = []
        var lines: [String] = []
        for member in members {
            for value in member.value.elements ?? [member.value] {
                do throws(BudgetRuleError) {
                    rules.append(try rule(member.key, value))
                } catch {
                    let problem = ProfileProblem(
                        .error,
                        at: value.location,
                        "'\(error.text)' \(error.problem)",
                        remedy: error.remedy
                    )
                    lines.append(problem.description)
                }
            }
        }
        guard lines.isEmpty else { throw CommandFailure(lines, code: .badInput) }
        return AnalyzeBudgets(rules: rules)
    }

    private static func rule(
        _ metric: String,
        _ value: JSONCValue
    ) throws(BudgetRuleError) -> BudgetRule {
        let text = value.string ?? value["limit"]?.string
        guard let text else {
            throw BudgetRuleError(
                text: metric,
                problem: "has no limit",
                remedy: "write \"max <= 50J\""
            )
        }
        let level = value["level"]?.string.flatMap(BudgetLevel.init(rawValue:)) ?? .fail
        return try BudgetRule(metric: metric, text: text, level: level)
    }

    func judge(_ report: CaptureReport) -> [Verdict] {
        let metrics = report.metrics
        return rules.map { rule in
            Verdict(
                rule: rule,
                value: metrics.first { $0.name == rule.metric.text }?.value,
                limit: rule.limit.resolved(baseline: nil)
            )
        }
    }
}
