/// A draw of power, in whole microwatts.
public struct Power: Comparable, Hashable, Sendable, Codable, AdditiveArithmetic {
    /// Microwatts.
    public var microwatts: Int64

    /// Makes a draw of `microwatts`.
    public init(microwatts: Int64) {
        self.microwatts = microwatts
    }

    /// `count` milliwatts.
    public static func milliwatts(_ count: Int64) -> Power { Power(microwatts: count * 1_000) }

    /// No draw.
    public static let zero = Power(microwatts: 0)

    /// Orders draws by size.
    public static func < (left: Power, right: Power) -> Bool { left.microwatts < right.microwatts }

    /// The sum.
    public static func + (left: Power, right: Power) -> Power {
        Power(microwatts: left.microwatts + right.microwatts)
    }

    /// The difference.
    public static func - (left: Power, right: Power) -> Power {
        Power(microwatts: left.microwatts - right.microwatts)
    }

    /// The energy drawn over `span`, exact: power x time.
    public func energy(over span: Duration) -> Energy {
        Energy(femtojoules: Int128(microwatts) * Int128(span.wholeNanoseconds))
    }
}

extension Power: CustomStringConvertible {
    /// The draw in milliwatts, such as `500 mW` or `19.957 mW`.
    public var description: String {
        let rest = microwatts % 1_000
        guard rest != 0 else { return "\(microwatts / 1_000) mW" }
        return "\(microwatts / 1_000).\(String(1_000 + rest.magnitude).dropFirst()) mW"
    }
}
