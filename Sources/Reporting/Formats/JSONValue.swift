import Quantities

/// A JSON value whose members keep their order, so that the same run gives the same bytes.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// A string, or null.
    package static func optional(_ number: Double?) -> JSONValue {
        number.map { .number($0) } ?? .null
    }

    /// The value on one line.
    package var text: String {
        var text = ""
        write(to: &text, indent: nil)
        return text
    }

    /// The value over several lines, with two spaces a level; short arrays of numbers on one.
    package var prettyText: String {
        var text = ""
        write(to: &text, indent: 0)
        return text
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += Self.text(of: value)
        case .string(let value): text += JSONText.quoted(value)
        case .array(let values):
            let isFlat = values.allSatisfy(\.isScalar)
            Self.list(values, "[", "]", to: &text, indent: isFlat ? nil : indent) {
                value,
                text,
                indent in
                value.write(to: &text, indent: indent)
            }
        case .object(let members):
            Self.list(members, "{", "}", to: &text, indent: indent) { member, text, indent in
                text += JSONText.quoted(member.name) + (indent == nil ? ":" : ": ")
                member.value.write(to: &text, indent: indent)
            }
        }
    }

    private var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }

    private static func list<Element>(
        _ elements: [Element],
        _ open: String,
        _ close: String,
        to text: inout String,
        indent: Int?,
        write: (Element, inout String, Int?) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
            write(element, &text, indent.map { $0 + 1 })
        }
        if let indent, !elements.isEmpty {
            text += "\n" + String(repeating: "  ", count: indent)
        }
        text += close
    }

    /// The shortest decimal that reads back as the same number; whole numbers without a point.
    ///
    /// Traps on infinity and NaN, which JSON cannot carry (RFC 8259, 6).
    package static func text(of value: Double) -> String {
        precondition(value.isFinite, "JSON has no number for \(value)")
        if value == value.rounded(), value.magnitude < 1e15 { return String(Int64(value)) }
        return "\(value)"
    }
}

/// One member of an object.
package struct JSONMember: Equatable, Sendable {
    /// Its name.
    package let name: String
    /// Its value.
    package let value: JSONValue

    /// Makes a member.
    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}
