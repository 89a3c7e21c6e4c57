/// The name of a metric: subject, dot, quantity, unit last, such as `radio.energy_j`.
///
/// The lab's own are in `MetricCatalogue`; any other is a user's, made by `world.measure`.
package struct MetricName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name as it is written in profiles and files.
    package let text: String

    /// Makes a name of `text`.
    package init(_ text: String) {
        self.text = text
    }

    /// What stands before the first dot, such as `radio`.
    package var subject: String {
        String(text.prefix { $0 != "." })
    }

    /// What the catalogue says of it, or `nil` for a user's own.
    package var definition: MetricDefinition? {
        MetricCatalogue.definition(of: self)
    }

    /// Its unit: the catalogue's, or what a user's own name ends in.
    package var unit: MetricUnit {
        definition?.unit ?? MetricUnit(suffixOf: text)
    }

    /// The name.
    package var description: String { text }

    /// Orders names as the catalogue lists them; a user's own come after, by their text.
    package static func < (left: MetricName, right: MetricName) -> Bool {
        switch (MetricCatalogue.position(of: left), MetricCatalogue.position(of: right)) {
        case (let first?, let second?): first < second
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): left.text < right.text
        }
    }
}

extension MetricName: Codable {
    /// Reads the bare text.
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the bare text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
