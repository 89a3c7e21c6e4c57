/// Every metric that the lab knows, in the order of reports.
package enum MetricCatalogue {
    /// All definitions.
    package static let all: [MetricDefinition] =
        radio + energy + network + process + storage + outbox + upload + retry + user + screen
        + rows + app + background + fleet + live

    private static let positions: [String: Int] = {
        var positions: [String: Int] = [:]
        for (index, definition) in all.enumerated() {
            precondition(
                positions.updateValue(index, forKey: definition.name.text) == nil,
                "metric '\(definition.name)' is defined twice"
            )
        }
        return positions
    }()

    /// What `name` means, or `nil` if it is a user's own.
    package static func definition(of name: MetricName) -> MetricDefinition? {
        position(of: name).map { all[$0] }
    }

    /// Where `name` stands in the catalogue, or `nil` if it is a user's own.
    package static func position(of name: MetricName) -> Int? {
        positions[name.text]
    }

    /// Subjects that belong to the lab: an unknown name under one of them is a mistake.
    ///
    /// `app` and `screen` are not among them: a team's own measures are apt to be called so.
    package static let subjects: [String] = {
        var subjects: [String] = []
        for definition in all
        where !["app", "screen"].contains(definition.name.subject)
            && !subjects.contains(definition.name.subject)
        {
            subjects.append(definition.name.subject)
        }
        return subjects
    }()

    /// The known name that is nearest to `text` in edits, if it is near at all.
    package static func suggestion(for text: String) -> MetricName? {
        let candidates = all.map { ($0.name, EditDistance.between(text, $0.name.text)) }
        guard let best = candidates.min(by: { $0.1 < $1.1 }) else { return nil }
        return best.1 <= max(3, text.count / 3) ? best.0 : nil
    }
}
