/// Fisher's randomization test: how often flipped signs give a mean as large.
enum SignFlips {
    /// Up to this many pairs every flip is tried: 2^12 = 4,096.
    private static let exactCount = 12
    private static let fewestDraws = 4_095
    /// A chance above this decides nothing and is not looked at closer.
    private static let hopeless = 0.05

    /// The fewest pairs with which a chance this small can be shown at all: 2^-n.
    static func smallestCount(for chance: Double) -> Int {
        var count = 0
        var smallest = 1.0
        while smallest > chance {
            smallest /= 2
            count += 1
        }
        return count
    }

    /// The share of flips whose sum is at least that of `values`, itself included.
    ///
    /// Beyond the exact count so many are drawn that `smallest` is told with at least four of them.
    static func chance(of values: [Double], downTo smallest: Double = 0.005) -> Double {
        let observed = values.reduce(0, +)
        let slack = values.reduce(0) { $0 + $1.magnitude } * 1e-12
        var reached = 0
        let isExact = values.count <= exactCount
        let tries =
            isExact
            ? 1 << values.count : max(fewestDraws, Int((4 / smallest).rounded(.up)))
        // SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
        var state: UInt64 = 0
        func draw() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
        var index = 0
        while index < tries {
            let sum = flippedSum(values, by: isExact ? UInt64(index) : draw(), then: draw)
            if sum >= observed - slack { reached += 1 }
            index += 1
            if !isExact, index % 256 == 0, Double(reached) > hopeless * Double(index) {
                return Double(reached + 1) / Double(index + 1)
            }
        }
        // Drawn flips count the observed one too, so that a chance is never zero.
        return isExact
            ? Double(reached) / Double(tries) : Double(reached + 1) / Double(tries + 1)
    }

    /// The sum of `values` with a sign changed for each bit that is set; plain loops, it is hot.
    private static func flippedSum(
        _ values: [Double],
        by first: UInt64,
        then draw: () -> UInt64
    ) -> Double {
        values.withUnsafeBufferPointer { values in
            var bits = first
            var sum = 0.0
            var place = 0
            while place < values.count {
                if place > 0, place % 64 == 0 { bits = draw() }
                sum += bits & 1 == 0 ? values[place] : -values[place]
                bits >>= 1
                place += 1
            }
            return sum
        }
    }
}
