/// A limit on a metric, as the profile writes it.
package struct BudgetEntry: Equatable, Sendable {
    /// The metric, such as "radio.energy_j".
    package var metric: String
    /// Statistic, comparison and quantity: "p95 <= 950J".
    package var limit: String
    /// What breaking it does.
    package var level: Level
    /// Where the limit stands.
    package var location: SourceLocation

    /// What breaking a budget does.
    package enum Level: String, Sendable, CaseIterable {
        case fail
        case warn
    }

    /// Makes an entry.
    package init(metric: String, limit: String, level: Level, location: SourceLocation) {
        self.metric = metric
        self.limit = limit
        self.level = level
        self.location = location
    }
}
