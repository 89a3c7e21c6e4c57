import Measurements

/// Compares one metric between baseline and candidate, seed by seed, under the same weather.
///
/// The test is exact in kind: if nothing had changed, each pair's difference would be as likely to
/// have the other sign, so the mean is set against the means under flipped signs (Fisher's
/// randomization test for paired samples). All flips are tried up to 12 pairs; beyond, 4,095 drawn
/// by a fixed generator, so that the same figures give the same answer.
package struct PairedComparison: Sendable, Equatable {
    /// How a comparison came out.
    package enum Verdict: Sendable, Equatable {
        /// It became dearer by more than chance and by enough to matter.
        case worse
        /// It became cheaper by more than chance.
        case better
        /// A change that matters would have been seen, and there is none.
        case same
        /// A change that matters may hide in the scatter; this many seeds would settle it.
        case inconclusive(seedsNeeded: Int)
    }

    /// What counts as a change, and how sure one has to be.
    package struct Setting: Sendable, Equatable {
        /// The chance of calling noise a regression: 1 in 200.
        package var falseAlarm = 0.005
        /// Changes of the mean below this are none, in percent of the baseline's mean.
        package var ignoredPercent = 1.0
        /// A change of this size must be seen, in percent of the baseline's mean.
        package var relevantPercent = 3.0
        /// Whether a larger value is the better one.
        package var isHigherBetter = false

        /// Makes the setting of the gate.
        package init() {}
    }

    /// How many pairs there are.
    package let count: Int
    /// The mean change, in percent of the baseline's mean; positive is dearer.
    package let changePercent: Double
    /// The sample standard deviation of the pairs' changes, in the same percent.
    package let scatterPercent: Double
    /// Half the width of the 99 % interval of the mean change (Student's t), in the same percent.
    package let marginPercent: Double
    /// The chance of a mean this much dearer if nothing had changed.
    package let chanceIfSame: Double
    /// The smallest true change that would be seen in 19 of 20 tries, in the same percent.
    package let smallestVisiblePercent: Double
    /// How it came out.
    package let verdict: Verdict

    /// Compares the values of the same seeds in the same order; `nil` if there is no scale.
    ///
    /// There is none without pairs, or if the baseline's mean is zero and the candidate's is not.
    package init?(baseline: [Double], candidate: [Double], setting: Setting = Setting()) {
        precondition(
            baseline.count == candidate.count,
            "\(baseline.count) and \(candidate.count) values are no pairs"
        )
        let count = baseline.count
        guard count > 0 else { return nil }
        let mean = baseline.reduce(0, +) / Double(count)
        let isNothing = mean == 0 && candidate.allSatisfy { $0 == 0 }
        guard mean != 0 || isNothing else { return nil }
        let sign: Double = setting.isHigherBetter ? -1 : 1
        let changes = zip(baseline, candidate).map { before, after in
            isNothing ? 0 : sign * (after - before) / mean * 100
        }
        self.count = count
        changePercent = changes.reduce(0, +) / Double(count)
        scatterPercent = Self.deviation(changes)
        let error = scatterPercent / Double(count).squareRoot()
        // Two-sided 99 %: the 99.5th percentile of Student's t.
        marginPercent = count > 1 ? StudentT.percentile995(freedom: count - 1) * error : .infinity
        chanceIfSame = SignFlips.chance(of: changes)
        smallestVisiblePercent =
            count > 1
            ? (StudentT.percentile995(freedom: count - 1) + StudentT.normal95) * error : .infinity
        let chanceIfBetter =
            changePercent < 0 ? SignFlips.chance(of: changes.map { -$0 }) : 1
        if chanceIfSame <= setting.falseAlarm, changePercent >= setting.ignoredPercent {
            verdict = .worse
        } else if chanceIfBetter <= setting.falseAlarm, changePercent <= -setting.ignoredPercent {
            verdict = .better
        } else if count >= SignFlips.smallestCount(for: setting.falseAlarm),
            changePercent + marginPercent < setting.relevantPercent
        {
            verdict = .same
        } else {
            verdict = .inconclusive(
                seedsNeeded: Self.seedsNeeded(scatter: scatterPercent, after: count, setting)
            )
        }
    }

    private static func deviation(_ values: [Double]) -> Double {
        guard values.count > 1 else { return 0 }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count - 1)).squareRoot()
    }

    /// n with (t + z) s / root n at most what matters, and more than there are now.
    private static func seedsNeeded(
        scatter: Double,
        after count: Int,
        _ setting: Setting
    ) -> Int {
        let share = (StudentT.normal995 + StudentT.normal95) * scatter / setting.relevantPercent
        let wanted = Int((share * share).rounded(.up)) + 2
        return max(wanted, count + count / 2 + 1, SignFlips.smallestCount(for: setting.falseAlarm))
    }
}

/// Fisher's randomization test: how often flipped signs give a mean as large.
enum SignFlips {
    /// Up to this many pairs every flip is tried: 2^12 = 4,096.
    private static let exactCount = 12
    private static let drawCount = 4_095

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
    static func chance(of values: [Double]) -> Double {
        let observed = values.reduce(0, +)
        let slack = values.reduce(0) { $0 + $1.magnitude } * 1e-12
        var reached = 0
        let isExact = values.count <= exactCount
        let tries = isExact ? 1 << values.count : drawCount
        // SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
        var state: UInt64 = 0
        func draw() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
        for index in 0..<tries {
            var bits = isExact ? UInt64(index) : draw()
            var sum = 0.0
            for (place, value) in values.enumerated() {
                if !isExact, place > 0, place % 64 == 0 { bits = draw() }
                sum += bits & 1 == 0 ? value : -value
                bits >>= 1
            }
            if sum >= observed - slack { reached += 1 }
        }
        // Drawn flips count the observed one too, so that a chance is never zero.
        return isExact
            ? Double(reached) / Double(tries) : Double(reached + 1) / Double(tries + 1)
    }
}

/// Percentiles of the normal distribution and of Student's t.
enum StudentT {
    /// The 99.5th percentile of the normal distribution.
    static let normal995 = 2.575_829
    /// The 95th percentile of the normal distribution.
    static let normal95 = 1.644_854

    /// The 99.5th percentile of Student's t with `freedom` degrees, by the expansion in 1/freedom.
    ///
    /// Abramowitz and Stegun, 26.7.5, four terms; exact formulas for 1 and 2 degrees. Off by less
    /// than 1 % from 3 degrees on.
    static func percentile995(freedom: Int) -> Double {
        precondition(freedom > 0, "Student's t needs a degree of freedom")
        if freedom == 1 { return 63.656_74 }
        if freedom == 2 { return 9.924_843 }
        let x = normal995
        let (x3, x5, x7, x9) = (x * x * x, power(x, 5), power(x, 7), power(x, 9))
        let n = Double(freedom)
        let first = (x3 + x) / 4
        let second = (5 * x5 + 16 * x3 + 3 * x) / 96
        let third = (3 * x7 + 19 * x5 + 17 * x3 - 15 * x) / 384
        let fourth = (79 * x9 + 776 * x7 + 1_482 * x5 - 1_920 * x3 - 945 * x) / 92_160
        return x + first / n + second / (n * n) + third / power(n, 3) + fourth / power(n, 4)
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1.0) { value, _ in value * base }
    }
}
