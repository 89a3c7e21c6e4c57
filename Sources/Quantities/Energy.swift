/// An amount of energy, exact: microwatts times nanoseconds are femtojoules.
///
/// Sums never round, so a ledger and the sum of its parts agree to the last digit.
public struct Energy: Comparable, Hashable, Sendable, AdditiveArithmetic {
    /// Femtojoules, 1e-15 J.
    public var femtojoules: Int128

    /// Makes an amount of `femtojoules`.
    public init(femtojoules: Int128) {
        self.femtojoules = femtojoules
    }

    /// Makes an amount of `nanojoules`.
    public init(nanojoules: Int64) {
        self.femtojoules = Int128(nanojoules) * 1_000_000
    }

    /// `count` whole joules.
    public static func joules(_ count: Int64) -> Energy {
        Energy(femtojoules: Int128(count) * 1_000_000_000_000_000)
    }

    /// None.
    public static let zero = Energy(femtojoules: 0)

    /// Whole nanojoules, rounded half away from zero: the unit that traces and reports carry.
    public var nanojoules: Int64 {
        let half: Int128 = femtojoules < 0 ? -500_000 : 500_000
        return Int64((femtojoules + half) / 1_000_000)
    }

    /// Joules as a floating-point number, for figures that leave the simulation; never fed back.
    public var inJoules: Double { Double(nanojoules) / 1e9 }

    /// Orders amounts by size.
    public static func < (left: Energy, right: Energy) -> Bool {
        left.femtojoules < right.femtojoules
    }

    /// The sum.
    public static func + (left: Energy, right: Energy) -> Energy {
        Energy(femtojoules: left.femtojoules + right.femtojoules)
    }

    /// The difference.
    public static func - (left: Energy, right: Energy) -> Energy {
        Energy(femtojoules: left.femtojoules - right.femtojoules)
    }
}

extension Energy: CustomStringConvertible {
    /// Joules with up to three decimals, such as `11.367 J`.
    public var description: String {
        let sign = femtojoules < 0 ? "-" : ""
        let milli = (femtojoules.magnitude + 500_000_000_000) / 1_000_000_000_000
        let rest = milli % 1_000
        guard rest > 0 else { return "\(sign)\(milli / 1_000) J" }
        var digits = String(1_000 + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(milli / 1_000).\(digits) J"
    }
}
