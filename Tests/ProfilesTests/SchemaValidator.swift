import Foundation
import Profiles

/// As much of JSON Schema draft 2020-12 as the generated schemas use.
///
/// Keywords: $ref into $defs, type, const, enum, pattern, minimum, maximum, minItems, items,
/// properties, patternProperties, additionalProperties, required, anyOf, oneOf. Others are refused, so
/// that the generator cannot outgrow it unseen.
struct SchemaValidator {
    private static let known = [
        "$schema", "title", "description", "$defs", "$ref", "type", "const", "enum", "pattern",
        "minimum", "maximum", "minItems", "items", "properties", "patternProperties",
        "additionalProperties", "required", "anyOf", "oneOf",
    ]

    let root: JSONCValue

    init(_ text: String) throws {
        root = try JSONCDocument.parse(text: text, path: "schema.json").root
    }

    /// Why `value` does not fit; empty if it does.
    func problems(_ value: JSONCValue) -> [String] { problems(value, root) }

    private func problems(_ value: JSONCValue, _ schema: JSONCValue) -> [String] {
        var found: [String] = []
        for member in schema.members ?? [] {
            guard Self.known.contains(member.key) else { return ["keyword \(member.key)"] }
            found += problems(value, schema, keyword: member.key, member.value)
        }
        return found
    }

    private func problems(
        _ value: JSONCValue,
        _ schema: JSONCValue,
        keyword: String,
        _ rule: JSONCValue
    ) -> [String] {
        func check(_ holds: Bool) -> [String] {
            holds ? [] : ["\(value.location): \(value.kindText) breaks \(keyword)"]
        }
        switch keyword {
        case "$ref":
            let name = (rule.string ?? "").split(separator: "/").last.map(String.init) ?? ""
            guard let target = root["$defs"]?[name] else { return ["no definition \(name)"] }
            return problems(value, target)
        case "type": return check(Self.type(of: value, is: rule.string ?? ""))
        case "const": return check(value.kindText == rule.kindText)
        case "enum":
            return check((rule.elements ?? []).contains { $0.kindText == value.kindText })
        case "pattern":
            guard let text = value.string, let pattern = rule.string else { return [] }
            return check(text.range(of: pattern, options: .regularExpression) != nil)
        case "minimum", "maximum":
            guard let number = Self.number(value), let bound = Self.number(rule) else { return [] }
            return check(keyword == "minimum" ? number >= bound : number <= bound)
        case "minItems":
            return check((value.elements?.count ?? .max) >= (Self.number(rule) ?? 0))
        case "items": return (value.elements ?? []).flatMap { problems($0, rule) }
        case "required":
            guard value.members != nil else { return [] }
            return check((rule.elements ?? []).allSatisfy { value[$0.string ?? ""] != nil })
        case "anyOf":
            return check((rule.elements ?? []).contains { problems(value, $0).isEmpty })
        case "oneOf":
            return check((rule.elements ?? []).count { problems(value, $0).isEmpty } == 1)
        case "properties": return members(of: value, schema)
        default: return []
        }
    }

    /// `properties`, `patternProperties` and `additionalProperties` together.
    private func members(of value: JSONCValue, _ schema: JSONCValue) -> [String] {
        (value.members ?? []).flatMap { member -> [String] in
            if let rule = schema["properties"]?[member.key] { return problems(member.value, rule) }
            for pattern in schema["patternProperties"]?.members ?? []
            where member.key.range(of: pattern.key, options: .regularExpression) != nil {
                return problems(member.value, pattern.value)
            }
            guard case .bool(false)? = schema["additionalProperties"]?.content else { return [] }
            return ["\(member.keyLocation): unknown key \(member.key)"]
        }
    }

    private static func number(_ value: JSONCValue) -> Int? {
        guard case .number(let digits) = value.content else { return nil }
        return Int(digits)
    }

    private static func type(of value: JSONCValue, is name: String) -> Bool {
        switch value.content {
        case .string: name == "string"
        case .number(let digits): name == "number" || (name == "integer" && Int(digits) != nil)
        case .bool: name == "boolean"
        case .array: name == "array"
        case .object: name == "object"
        case .null: name == "null"
        }
    }
}
