/// A quantity that people write as a number with a unit: `"150ms"`, `"256KiB"`, `"2%"`.
public protocol QuantityText: Sendable {
    /// Reads the quantity; a space before the unit is allowed.
    init(text: String) throws(QuantityError)
}

/// Reads decimal numbers with units exactly, without floating point.
enum QuantityScanner {
    /// What one unit is worth, as a ratio of base units.
    struct Unit {
        let name: String
        let numerator: Int64
        let denominator: Int64

        init(_ name: String, _ numerator: Int64, per denominator: Int64 = 1) {
            self.name = name
            self.numerator = numerator
            self.denominator = denominator
        }
    }

    /// Splits `text` into number and unit, and scales the number to base units, rounding to nearest.
    static func read(
        _ text: String,
        as what: String,
        units: [Unit],
        example: String,
        hints: [String: String] = [:]
    ) throws(QuantityError) -> Int64 {
        func failure(_ problem: String, _ remedy: String? = nil) -> QuantityError {
            let listed = units.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
            return QuantityError(
                text: text,
                problem: problem,
                remedy: remedy ?? "write \(what) such as \"\(example)\"; units: \(listed)"
            )
        }
        let number = text.prefix {
            $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "_")
        }
        let unitText = text.dropFirst(number.count).drop { $0 == " " }
        guard !number.isEmpty else { throw failure("is not \(what)") }
        guard !number.hasPrefix("-") else {
            throw failure("is negative", "write \(what) of zero or more, such as \"\(example)\"")
        }
        guard let unit = units.first(where: { $0.name == unitText }) else {
            if let hint = hints[String(unitText)] { throw failure("is not \(what)", hint) }
            let problem = unitText.isEmpty ? "has no unit" : "has the unknown unit '\(unitText)'"
            throw failure(problem)
        }
        guard let value = scale(number, unit) else { throw failure("is not a number in range") }
        return value
    }

    private static func scale(_ number: Substring, _ unit: Unit) -> Int64? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, !first.isEmpty else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard parts.count == 1 || !fraction.isEmpty, fraction.count <= 9 else { return nil }
        let digits = (String(first) + fraction).filter { $0 != "_" }
        guard !digits.isEmpty, digits.allSatisfy({ $0.isNumber }) else { return nil }
        guard let mantissa = Int128(digits) else { return nil }
        var divisor = Int128(unit.denominator)
        for _ in fraction { divisor *= 10 }
        let (scaled, overflow) = mantissa.multipliedReportingOverflow(by: Int128(unit.numerator))
        guard !overflow else { return nil }
        return Int64(exactly: (scaled + divisor / 2) / divisor)
    }
}
