import Budgets
import Measurements

extension ProfileSchema {
    /// Statistic, comparison, limit.
    static var limit: SchemaNode {
        let statistics = Statistic.allCases.map(\.rawValue).joined(separator: "|")
        return SchemaNode.pattern("^ *(\(statistics)) *(<=|<|>=) *\\S.*$")
            .described("Statistic over the seeds, comparison, quantity: \"p95 <= 950J\".")
    }

    static var budgetObject: SchemaNode {
        .object(keys: [
            .init("limit", .reference("limit"), required: true),
            .init("level", .choice(BudgetLevel.self)),
        ])
    }

    /// Every metric that may have a budget by name; a user's own by the pattern of its name.
    static var budgets: SchemaNode {
        let budget = SchemaNode.oneOrMany(.reference("budget"))
        let metrics = MetricCatalogue.all.filter { $0.guarantee == nil }.map { definition in
            (key: definition.name.text, value: budget.described(definition.meaning))
        }
        let subjects = MetricCatalogue.subjects.joined(separator: "|")
        return .object([
            ("type", .text("object")),
            ("properties", .object(metrics)),
            (
                "patternProperties",
                .object([("^(?!(\(subjects))\\.)[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)+$", budget)])
            ),
            ("additionalProperties", .flag(false)),
        ])
    }
}
