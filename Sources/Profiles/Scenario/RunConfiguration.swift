import Quantities

/// Which seeds run, how long, and how long they may take to come to rest.
package struct RunConfiguration: Equatable, Sendable {
    /// The seeds; each is one run, by its number.
    package var seeds: SeedRange
    /// How long the run lasts before it settles; nil until everything that is scheduled is over.
    package var duration: Duration?
    /// After everything has healed: what has not finished by the end of this is stuck.
    ///
    /// The default of 10 min is an assumption.
    package var settle: Duration
    /// Whether the screen is on and somebody looks at it; else the phone sleeps until it is woken.
    package var isScreenOn: Bool

    /// Makes a configuration.
    package init(
        seeds: SeedRange = SeedRange(1...20),
        duration: Duration? = nil,
        settle: Duration = .seconds(600),
        isScreenOn: Bool = true
    ) {
        self.isScreenOn = isScreenOn
        self.seeds = seeds
        self.duration = duration
        self.settle = settle
    }
}

/// Seeds by number, `"1..20"` or `7`: a seed is an identity and means the same run everywhere.
package struct SeedRange: Hashable, Sendable, CustomStringConvertible {
    /// The first and the last seed.
    package let bounds: ClosedRange<UInt64>
    /// More seeds than this in one run are refused: a slip of the keyboard, not a plan (assumption).
    package static let most: UInt64 = 1_000_000

    /// Makes a range of seeds.
    package init(_ bounds: ClosedRange<UInt64>) {
        self.bounds = bounds
    }

    /// How many seeds there are.
    package var count: Int { Int(clamping: bounds.upperBound - bounds.lowerBound) + 1 }

    /// Reads `"7"` or `"1..200"`, as `--seeds` and profiles have it.
    package init(text: String) throws(QuantityError) {
        let remedy = "write one seed or a range: \"7\" or \"1..20\""
        let ends = text.firstRange(of: "..").map {
            (String(text[..<$0.lowerBound]), String(text[$0.upperBound...]))
        }
        let (first, last) = ends ?? (text, text)
        guard let lower = UInt64(first), let upper = UInt64(last) else {
            throw QuantityError(text: text, problem: "is not a range of seeds", remedy: remedy)
        }
        guard lower <= upper else {
            throw QuantityError(
                text: text,
                problem: "is a range that ends before it starts",
                remedy: "write \"\(upper)..\(lower)\""
            )
        }
        guard upper - lower < Self.most else {
            throw QuantityError(
                text: text,
                problem: "is more than \(Self.most) seeds",
                remedy: remedy
            )
        }
        self.init(lower...upper)
    }

    /// As profiles write it.
    package var description: String {
        count == 1 ? "\(bounds.lowerBound)" : "\(bounds.lowerBound)..\(bounds.upperBound)"
    }
}
