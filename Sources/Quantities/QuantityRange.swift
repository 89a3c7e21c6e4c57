/// A quantity that is fixed, or drawn from a range by the seed: `"40ms..120ms"`, both ends included.
public struct QuantityRange<Quantity: Comparable & Sendable>: Sendable {
    /// The least value.
    public let lower: Quantity
    /// The greatest value.
    public let upper: Quantity

    /// Makes the range; traps if it is upside down.
    public init(_ lower: Quantity, _ upper: Quantity) {
        precondition(lower <= upper, "the range \(lower)..\(upper) is upside down")
        self.lower = lower
        self.upper = upper
    }

    /// Makes a range that holds one value.
    public init(_ value: Quantity) {
        self.init(value, value)
    }

    /// Whether nothing is left to draw.
    public var isFixed: Bool { lower == upper }
}

extension QuantityRange: Equatable where Quantity: Equatable {}
extension QuantityRange: Hashable where Quantity: Hashable {}

extension QuantityRange where Quantity: QuantityText {
    /// Reads `"5s..10s"` or a single quantity.
    public init(text: String) throws(QuantityError) {
        guard let dots = text.firstRange(of: "..") else {
            self.init(try Quantity(text: text))
            return
        }
        let lower = try Quantity(text: String(text[..<dots.lowerBound]))
        let upper = try Quantity(text: String(text[dots.upperBound...]))
        guard lower <= upper else {
            throw QuantityError(
                text: text,
                problem: "is a range that ends before it starts",
                remedy: "write the smaller value first"
            )
        }
        self.init(lower, upper)
    }
}
