import Measurements

/// The committed figures that `baseline + 3%` compares with.
package struct BudgetBaseline: Codable, Sendable, Equatable {
    /// The profile it was made of.
    package let profile: String
    /// The seeds it was made of.
    package let seeds: [UInt64]
    /// The figures of each metric, in the order of the catalogue.
    package let metrics: [BaselineMetric]

    /// Makes a baseline.
    package init(profile: String, seeds: [UInt64], metrics: [BaselineMetric]) {
        self.profile = profile
        self.seeds = seeds
        self.metrics = metrics.sorted { $0.name < $1.name }
    }

    /// Makes the baseline of `seeds`; metrics in `paired` keep one value a seed.
    package init(profile: String, of seeds: [SeedResult], paired: Set<MetricName> = []) {
        self.init(
            profile: profile,
            seeds: seeds.map(\.seed),
            metrics: MetricSummary.all(of: seeds).map { summary in
                let values = seeds.map { $0.value(of: summary.name) }
                let isPaired = paired.contains(summary.name) && values.allSatisfy { $0 != nil }
                return BaselineMetric(
                    summary,
                    perSeed: isPaired ? values.compactMap { $0 } : nil
                )
            }
        )
    }

    /// One statistic of `metric`, or `nil` if the baseline does not have it.
    package func value(_ statistic: Statistic, of metric: MetricName) -> Double? {
        metrics.first { $0.name == metric }?[statistic]
    }
}

/// The committed figures of one metric.
package struct BaselineMetric: Codable, Sendable, Equatable {
    /// The metric.
    package let name: MetricName
    /// How many values there were.
    package let count: Int
    /// One value for each of `Statistic.allCases`, in that order.
    package let statistics: [Double]
    /// The sample standard deviation, its scatter; zero if there is one value.
    package let deviation: Double
    /// One value a seed, in the order of the seeds, for paired comparison; if it was kept.
    package let perSeed: [Double]?

    /// Makes figures of their parts.
    package init(
        name: MetricName,
        count: Int,
        statistics: [Double],
        deviation: Double,
        perSeed: [Double]?
    ) {
        precondition(
            statistics.count == Statistic.allCases.count,
            "\(statistics.count) statistics of '\(name)' are not \(Statistic.allCases.count)"
        )
        self.name = name
        self.count = count
        self.statistics = statistics
        self.deviation = deviation
        self.perSeed = perSeed
    }

    /// Makes the figures of `summary`.
    package init(_ summary: MetricSummary, perSeed: [Double]?) {
        let mean = summary[.mean]
        let squares = summary.sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let count = summary.count
        self.init(
            name: summary.name,
            count: count,
            statistics: Statistic.allCases.map { summary[$0] },
            deviation: count > 1 ? (squares / Double(count - 1)).squareRoot() : 0,
            perSeed: perSeed
        )
    }

    /// One statistic.
    package subscript(_ statistic: Statistic) -> Double {
        guard let index = Statistic.allCases.firstIndex(of: statistic) else { return .nan }
        return statistics[index]
    }
}
