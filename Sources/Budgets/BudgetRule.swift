import Measurements

/// One budget line: a statistic of a metric, a comparison, a limit, and what breaking it means.
package struct BudgetRule: Hashable, Codable, Sendable {
    /// The metric that is judged.
    package let metric: MetricName
    /// The statistic over the seeds, and over the samples within them.
    package let statistic: Statistic
    /// How the statistic has to compare with the limit.
    package let comparison: BudgetComparison
    /// What it is compared with.
    package let limit: BudgetLimit
    /// Whether breaking it fails the run.
    package let level: BudgetLevel
    /// The rule as the profile has it, such as "p95 <= 950J".
    package let text: String
    /// The budget pack that the line comes from, such as "android-vitals"; nil for a profile's own.
    package let pack: String?

    /// Makes a rule of its parts.
    package init(
        metric: MetricName,
        statistic: Statistic,
        comparison: BudgetComparison,
        limit: BudgetLimit,
        level: BudgetLevel = .fail,
        text: String,
        pack: String? = nil
    ) {
        self.metric = metric
        self.statistic = statistic
        self.comparison = comparison
        self.limit = limit
        self.level = level
        self.text = text
        self.pack = pack
    }

    /// The limit as the profile has it, such as `96MiB` or `baseline + 3%`.
    package var limitText: String {
        let afterSign = text.drop { !"<>=".contains($0) }.drop { "<>=".contains($0) }
        return String(afterSign.drop { $0 == " " })
    }
}

/// How a statistic has to compare with its limit.
package enum BudgetComparison: String, Codable, Sendable, CaseIterable {
    case atMost = "<="
    case atLeast = ">="
    case below = "<"

    /// Whether `value` keeps to `limit`.
    package func holds(_ value: Double, _ limit: Double) -> Bool {
        switch self {
        case .atMost: value <= limit
        case .atLeast: value >= limit
        case .below: value < limit
        }
    }
}

/// What a statistic is compared with.
package enum BudgetLimit: Hashable, Codable, Sendable {
    /// A quantity in the unit of the metric.
    case fixed(Double)
    /// The committed baseline's same statistic, times (1 + percent / 100), plus an offset.
    case baseline(percent: Double, offset: Double)

    /// Whether it is the same whatever came before.
    package var isFixed: Bool {
        if case .fixed = self { true } else { false }
    }

    /// The limit in the metric's unit; `nil` if it needs a baseline and there is none.
    package func resolved(baseline: Double?) -> Double? {
        switch self {
        case .fixed(let value): value
        case .baseline(let percent, let offset):
            baseline.map { $0 * (1 + percent / 100) + offset }
        }
    }
}

/// What breaking a budget means.
package enum BudgetLevel: String, Codable, Sendable, CaseIterable {
    /// The run fails.
    case fail
    /// The run passes with a warning.
    case warn
}

/// A budget line that cannot be read.
package struct BudgetRuleError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What the user wrote: the rule, or the metric's name.
    package let text: String
    /// What is wrong with it, as half a sentence.
    package let problem: String
    /// What to write instead, as a sentence.
    package let remedy: String

    /// Describes `text` as wrong.
    package init(text: String, problem: String, remedy: String) {
        self.text = text
        self.problem = problem
        self.remedy = remedy
    }

    /// Text, problem and remedy on one line.
    package var description: String { "'\(text)' \(problem) (\(remedy))" }
}
