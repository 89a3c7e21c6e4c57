import Quantities

/// Numbers out of a JSON object of another tool, without floating point.
struct JSONFields {
    private let object: JSONCValue

    init(_ object: JSONCValue) {
        self.object = object
    }

    static func parse(_ text: String) throws(ExchangeError) -> JSONCValue {
        do {
            return try JSONCDocument.parse(text: text, path: "").root
        } catch {
            let first = error.problems[0]
            throw ExchangeError(
                line: first.location.line,
                first.what,
                remedy: first.remedy.isEmpty ? "write JSON" : first.remedy
            )
        }
    }

    /// The number at `key` times 10^6, cut; a negative one is told by nil in `isNegative`.
    func millionths(_ key: String) throws(ExchangeError) -> Int64? {
        guard let value = object[key] else { return nil }
        if case .null = value.content { return nil }
        let text: String
        switch value.content {
        case .number(let digits): text = digits
        case .string(let written): text = written
        default: text = value.kindText
        }
        guard let number = DecimalText.scaled(text, digits: 6) else {
            throw ExchangeError(
                line: value.location.line,
                "\"\(key)\" is \(text)",
                remedy: "write a decimal number of 0 or more"
            )
        }
        return number
    }

    /// Whether the number at `key` is below zero.
    func isNegative(_ key: String) -> Bool {
        guard case .number(let digits)? = object[key]?.content else { return false }
        return digits.hasPrefix("-")
    }

    func flag(_ key: String) -> Bool {
        if case .bool(let flag)? = object[key]?.content { flag } else { false }
    }
}
