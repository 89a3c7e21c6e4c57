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
            .init("source", SchemaNode.string.described("Where the figure comes from.")),
            .init("assumption", SchemaNode.string.described("Why this figure without a source.")),
        ])
    }

    /// A line of a pack: it says where its figure comes from.
    static var packBudget: SchemaNode {
        guard case .object(let members) = budgetObject else { return budgetObject }
        let either = ["source", "assumption"].map { name in
            SchemaNode.object([("required", .list([.text(name)]))])
        }
        return .object(members + [("anyOf", .list(either))])
    }

    /// Lines, packs by name, or an array of both, each put over the ones before it.
    static var budgetsPart: SchemaNode {
        let lines = SchemaNode.reference("budgetLines")
        let pack = SchemaNode.string.described("A file of profiles/budgets by name.")
        return .any([lines, pack, .array(of: .any([pack, lines]), atLeast: 1)])
    }

    /// Lines that may be null: it takes away what a pack or an extended profile says.
    static var profileLines: SchemaNode {
        let none = SchemaNode.object([("type", .text("null"))])
        return budgetLines(.any([.reference("budget"), none]))
    }

    /// Every metric that may have a budget by name; a user's own by the pattern of its name.
    static func budgetLines(_ line: SchemaNode) -> SchemaNode {
        let budget = SchemaNode.oneOrMany(line)
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
