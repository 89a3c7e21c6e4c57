import Measurements

/// The committed figures that `baseline + 3%` compares with.
package struct BudgetBaseline: Codable, Sendable, Equatable {
    /// The profile it was made of.
    package let profile: String
    /// The seeds it was made of.
    package let seeds: [UInt64]
    /// The figures of each metric, in the order of the catalogue.
    package let metrics: [BaselineMetric]
    /// What made it, so that a stale one is told; nil if the file does not say.
    package let origin: BaselineOrigin?

    /// Makes a baseline.
    package init(
        profile: String,
        seeds: [UInt64],
        metrics: [BaselineMetric],
        origin: BaselineOrigin? = nil
    ) {
        self.profile = profile
        self.seeds = seeds
        self.origin = origin
        self.metrics = metrics.sorted { $0.name < $1.name }
    }

    /// Makes the baseline of `seeds`; metrics in `paired` keep one value a seed.
    package init(
        profile: String,
        of seeds: [SeedResult],
        paired: Set<MetricName> = [],
        origin: BaselineOrigin? = nil
    ) {
        self.init(
            profile: profile,
            seeds: seeds.map(\.seed),
            metrics: MetricSummary.all(of: seeds).map { summary in
                BaselineMetric(
                    summary,
                    perSeed: paired.contains(summary.name)
                        ? seeds.map { $0.value(of: summary.name) } : nil
                )
            },
            origin: origin
        )
    }

    /// The value of one seed, if it was kept.
    package func value(of metric: MetricName, seed: UInt64) -> Double? {
        guard let values = metrics.first(where: { $0.name == metric })?.perSeed,
            let index = seeds.firstIndex(of: seed), index < values.count
        else { return nil }
        return values[index]
    }

    /// The same baseline over fewer seeds, where one value a seed was kept; the rest as it was.
    ///
    /// So that `p50 <= baseline + 3%` compares the same seeds on both sides. A metric with several
    /// samples a seed keeps its figures: the samples are not in the file.
    package func restricted(to wanted: [UInt64]) -> BudgetBaseline {
        let kept = seeds.indices.filter { wanted.contains(seeds[$0]) }
        guard !kept.isEmpty, kept.count < seeds.count else { return self }
        return BudgetBaseline(
            profile: profile,
            seeds: kept.map { seeds[$0] },
            metrics: metrics.map { metric in
                guard let values = metric.perSeed, metric.count == seeds.count else {
                    return metric
                }
                let some = kept.compactMap { values[$0] }
                guard some.count == kept.count else { return metric }
                return BaselineMetric(MetricSummary(metric.name, values: some), perSeed: some)
            },
            origin: origin
        )
    }

    /// The median that a run over `seeds` may be compared with; nil where it would be of others.
    ///
    /// Two sets of seeds differ by their weather alone, which is no change. After `restricted(to:)` a
    /// metric without a value for each seed still has the figures of all, and another count.
    package func comparableMedian(_ summary: MetricSummary, over seeds: [UInt64]) -> Double? {
        guard self.seeds == seeds, let metric = metrics.first(where: { $0.name == summary.name }),
            metric.count == summary.count
        else { return nil }
        return metric[.p50]
    }

    /// One statistic of `metric`, or `nil` if the baseline does not have it.
    package func value(_ statistic: Statistic, of metric: MetricName) -> Double? {
        metrics.first { $0.name == metric }?[statistic]
    }
}

/// What made a baseline: a comparison needs the same weather on both sides.
package struct BaselineOrigin: Codable, Sendable, Equatable {
    /// The version of the tool.
    package let toolVersion: String
    /// How time was made virtual: "captured" or "portable".
    package let mode: String
    /// A digest of the profile and its presets without app, budgets, tags and seeds.
    package let weather: String

    /// Describes an origin.
    package init(toolVersion: String, mode: String, weather: String) {
        self.toolVersion = toolVersion
        self.mode = mode
        self.weather = weather
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
    /// One value a seed, in the order of the seeds, for paired comparison; if they were kept.
    ///
    /// A seed that did not touch the metric has nil.
    package let perSeed: [Double?]?

    /// Makes figures of their parts.
    package init(
        name: MetricName,
        count: Int,
        statistics: [Double],
        deviation: Double,
        perSeed: [Double?]?
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
    package init(_ summary: MetricSummary, perSeed: [Double?]?) {
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
