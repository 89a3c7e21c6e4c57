import Quantities

/// A piece of a JSON Schema (draft 2020-12), whose keys keep their order.
///
/// Editors complete and check profiles from it; Foundation's writer would shuffle the keys.
indirect enum SchemaNode {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([SchemaNode])
    case object([(key: String, value: SchemaNode)])

    /// The node as indented JSON, ending without a line break.
    func rendered(indent: Int = 0) -> String {
        let inner = String(repeating: "  ", count: indent + 1)
        let outer = String(repeating: "  ", count: indent)
        switch self {
        case .text(let text): return JSONText.quoted(text)
        case .number(let number): return "\(number)"
        case .flag(let flag): return flag ? "true" : "false"
        case .list(let nodes):
            let parts = nodes.map { $0.rendered(indent: indent + 1) }
            let oneLine = "[\(parts.joined(separator: ", "))]"
            guard oneLine.count > 80 || oneLine.contains("\n") else { return oneLine }
            return "[\n\(parts.map { inner + $0 }.joined(separator: ",\n"))\n\(outer)]"
        case .object(let members):
            let parts = members.map {
                "\(JSONText.quoted($0.key)): \($0.value.rendered(indent: indent + 1))"
            }
            let oneLine = "{ \(parts.joined(separator: ", ")) }"
            guard oneLine.count > 80 || oneLine.contains("\n") else {
                return members.isEmpty ? "{}" : oneLine
            }
            return "{\n\(parts.map { inner + $0 }.joined(separator: ",\n"))\n\(outer)}"
        }
    }
}

extension SchemaNode {
    /// A key of an object: its schema, and whether it has to be there.
    struct Key {
        let name: String
        let node: SchemaNode
        let isRequired: Bool

        init(_ name: String, _ node: SchemaNode, required: Bool = false) {
            self.name = name
            self.node = node
            isRequired = required
        }
    }

    /// A reference to a definition of the same schema.
    static func reference(_ name: String) -> SchemaNode {
        .object([("$ref", .text("#/$defs/\(name)"))])
    }

    /// This node with a line that editors show.
    func described(_ text: String) -> SchemaNode {
        guard case .object(let members) = self else { return self }
        return .object([("description", .text(text))] + members.filter { $0.key != "description" })
    }

    /// A string of a pattern.
    static func pattern(_ pattern: String) -> SchemaNode {
        .object([("type", .text("string")), ("pattern", .text(pattern))])
    }

    /// Any string.
    static var string: SchemaNode { .object([("type", .text("string"))]) }

    /// `true` or `false`.
    static var bool: SchemaNode { .object([("type", .text("boolean"))]) }

    /// A whole number within bounds.
    static func integer(_ bounds: ClosedRange<Int>) -> SchemaNode {
        var members: [(key: String, value: SchemaNode)] = [
            ("type", .text("integer")), ("minimum", .number(bounds.lowerBound)),
        ]
        if bounds.upperBound < .max { members.append(("maximum", .number(bounds.upperBound))) }
        return .object(members)
    }

    /// One of the names of an enum.
    static func choice<E>(_ type: E.Type) -> SchemaNode
    where E: RawRepresentable<String> & CaseIterable {
        .object([("enum", .list(E.allCases.map { .text($0.rawValue) }))])
    }

    /// One of some strings.
    static func oneOf(names: [String]) -> SchemaNode {
        .object([("enum", .list(names.map { .text($0) }))])
    }

    /// Exactly this string.
    static func constant(_ text: String) -> SchemaNode { .object([("const", .text(text))]) }

    /// One of some schemas.
    static func any(_ nodes: [SchemaNode]) -> SchemaNode { .object([("anyOf", .list(nodes))]) }

    /// An array of one kind of element.
    static func array(of node: SchemaNode, atLeast: Int = 0) -> SchemaNode {
        var members: [(key: String, value: SchemaNode)] = [("type", .text("array"))]
        if atLeast > 0 { members.append(("minItems", .number(atLeast))) }
        return .object(members + [("items", node)])
    }

    /// One element, or an array of them.
    static func oneOrMany(_ node: SchemaNode) -> SchemaNode {
        any([node, array(of: node, atLeast: 1)])
    }

    /// An object with exactly these keys.
    static func object(keys: [Key]) -> SchemaNode {
        var members: [(key: String, value: SchemaNode)] = [
            ("type", .text("object")),
            ("properties", .object(keys.map { ($0.name, $0.node) })),
        ]
        let required = keys.filter(\.isRequired).map { SchemaNode.text($0.name) }
        if !required.isEmpty { members.append(("required", .list(required))) }
        return .object(members + [("additionalProperties", .flag(false))])
    }
}
