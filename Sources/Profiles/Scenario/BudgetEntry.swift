import Budgets

/// A limit on a metric, and where the profile has it.
package struct BudgetEntry: Equatable, Sendable {
    /// Metric, statistic, comparison, limit and level.
    package var rule: BudgetRule
    /// Where the limit stands.
    package var location: SourceLocation

    /// Makes an entry.
    package init(rule: BudgetRule, location: SourceLocation) {
        self.rule = rule
        self.location = location
    }
}
