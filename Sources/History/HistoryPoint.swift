import Measurements

/// One metric of one archived run.
package struct HistoryPoint: Equatable, Sendable {
    /// The run's number in the file.
    package var run: Int64
    /// The commit that was tested.
    package var commit: String
    /// When it was recorded.
    package var recordedAt: String
    /// "pass", "warn", "fail" or "not-decided": the verdict on the whole run.
    package var verdict: String
    /// How many values the statistics are of.
    package var count: Int
    /// The statistics, in the order of `Statistic.allCases`.
    package var values: [Double]

    /// One statistic.
    package subscript(_ statistic: Statistic) -> Double {
        values[Statistic.allCases.firstIndex(of: statistic) ?? 0]
    }
}

/// One archived run without its figures.
package struct HistoryRun: Equatable, Sendable {
    /// The run's number in the file.
    package var run: Int64
    /// The profile's name.
    package var profile: String
    /// What it was archived under.
    package var context: HistoryContext
    /// How many seeds it has.
    package var seeds: Int
    /// One fingerprint for all seeds.
    package var fingerprint: String
    /// "pass", "warn", "fail" or "not-decided": the gate's verdict if one judged the run.
    package var verdict: String
    /// The command's exit code.
    package var exitCode: Int32
    /// Why, one sentence each.
    package var reasons: [String]
}
