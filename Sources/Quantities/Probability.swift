/// A chance between 0 and 1, kept as an exact ratio; no floating point reaches a draw.
public struct Probability: Comparable, Hashable, Sendable, Codable {
    /// Favourable outcomes.
    public let numerator: UInt64
    /// All outcomes; at least 1.
    public let denominator: UInt64

    /// Makes the ratio; traps if it is greater than 1 or of nothing.
    public init(_ numerator: UInt64, of denominator: UInt64) {
        precondition(
            denominator > 0 && numerator <= denominator,
            "\(numerator)/\(denominator) is no probability"
        )
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Never.
    public static let never = Probability(0, of: 1)
    /// Always.
    public static let always = Probability(1, of: 1)

    /// `count` in a hundred.
    public static func percent(_ count: UInt64) -> Probability { Probability(count, of: 100) }

    /// `count` in a million.
    public static func perMillion(_ count: UInt64) -> Probability {
        Probability(count, of: 1_000_000)
    }

    /// Whether a uniform draw from all of `UInt64` falls into this chance.
    ///
    /// draw x denominator < numerator x 2^64, exact; bias is below 2^-64.
    public func holds(forDraw draw: UInt64) -> Bool {
        draw.multipliedFullWidth(by: denominator).high < numerator
    }

    /// The chance as a floating-point number, for reports.
    public var inUnits: Double { Double(numerator) / Double(denominator) }

    /// Orders chances by size.
    public static func < (left: Probability, right: Probability) -> Bool {
        let a = left.numerator.multipliedFullWidth(by: right.denominator)
        let b = right.numerator.multipliedFullWidth(by: left.denominator)
        return a.high != b.high ? a.high < b.high : a.low < b.low
    }

    /// Equal chances are equal however they are written: 1/2 is 2/4.
    public static func == (left: Probability, right: Probability) -> Bool {
        !(left < right) && !(right < left)
    }

    /// Hashes the reduced ratio.
    public func hash(into hasher: inout Hasher) {
        var (a, b) = (numerator, denominator)
        while b != 0 { (a, b) = (b, a % b) }
        hasher.combine(numerator / a)
        hasher.combine(denominator / a)
    }
}

extension Probability: CustomStringConvertible {
    /// The ratio as percent where it is exact to four decimals, else as `n/d`.
    public var description: String {
        let (scaled, overflow) = numerator.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow, scaled % denominator == 0 else { return "\(numerator)/\(denominator)" }
        let parts = scaled / denominator
        guard parts % 10_000 != 0 else { return "\(parts / 10_000)%" }
        var digits = String(10_000 + parts % 10_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(parts / 10_000).\(digits)%"
    }
}
