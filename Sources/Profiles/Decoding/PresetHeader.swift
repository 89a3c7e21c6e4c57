/// What every preset file says about itself: where its figures come from.
package struct PresetHeader: Equatable, Sendable {
    /// Where the figures come from.
    package var source: String
    /// Dotted names of fields whose figures nobody has checked against the source.
    package var unverified: [String]
    /// When the figures were true, such as "2023"; empty if it does not matter.
    package var asOf: String

    /// Takes the header's keys out of a preset's object; all of them are optional here.
    package init(_ reader: ObjectReader) {
        _ = reader.value("$schema")
        _ = reader.value("onebar")
        source = reader.string("source") ?? ""
        unverified = reader.strings("unverified")
        asOf = reader.string("as_of") ?? ""
    }
}
