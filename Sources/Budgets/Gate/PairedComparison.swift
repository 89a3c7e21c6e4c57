import Measurements

/// Compares one metric between baseline and candidate, seed by seed, under the same weather.
///
/// The test is exact in kind: if nothing had changed, each pair's difference would be as likely to
/// have the other sign, so the mean is set against the means under flipped signs (Fisher's
/// randomization test for paired samples). All flips are tried up to 12 pairs; beyond, 4,095 or more
/// drawn by a fixed generator, so that the same figures give the same answer.
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
        chanceIfSame = SignFlips.chance(of: changes, downTo: setting.falseAlarm)
        smallestVisiblePercent =
            count > 1
            ? (StudentT.percentile(tail: setting.falseAlarm, freedom: count - 1)
                + StudentT.normal95) * error : .infinity
        let chanceIfBetter =
            changePercent < 0
            ? SignFlips.chance(of: changes.map { -$0 }, downTo: setting.falseAlarm) : 1
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
        // With as many seeds as it takes, Student's t is all but normal.
        let tail = min(0.005, setting.falseAlarm)
        let sure = StudentT.percentile(tail: tail, freedom: 1_000)
        let share = (sure + StudentT.normal95) * scatter / setting.relevantPercent
        let wanted = Int((share * share).rounded(.up)) + 2
        return max(wanted, count + count / 2 + 1, SignFlips.smallestCount(for: setting.falseAlarm))
    }
}
