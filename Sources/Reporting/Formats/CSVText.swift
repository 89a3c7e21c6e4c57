/// Rows of comma-separated values as RFC 4180 has them, with a line feed at the end of each.
struct CSVText {
    private(set) var text = ""

    /// Begins with the names of the columns.
    init(columns: [String]) {
        append(columns)
    }

    /// Adds a row.
    mutating func append(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { text += "," }
            text += Self.escaped(field)
        }
        text += "\n"
    }

    /// In quotes if it has to be; a quote inside is doubled.
    static func escaped(_ field: String) -> String {
        guard field.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            return field
        }
        var escaped = "\""
        for character in field {
            if character == "\"" { escaped += "\"" }
            escaped.append(character)
        }
        return escaped + "\""
    }
}
