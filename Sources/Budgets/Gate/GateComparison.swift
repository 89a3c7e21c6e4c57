import Measurements

/// One metric against the baseline, paired by seed.
package struct GateComparison: Sendable, Equatable {
    /// How it came out.
    package enum Kind: String, Sendable, CaseIterable {
        case worse
        case inconclusive
        case better
        case same
        /// No seed has it on both sides.
        case unpaired
    }

    /// The metric and what its change means.
    package let metric: GatedMetric
    /// How many seeds have it on both sides.
    package let pairs: Int
    /// The mean over the pairs at the baseline; zero without pairs.
    package let before: Double
    /// The mean over the pairs now; zero without pairs.
    package let after: Double
    /// The statistics; nil without pairs.
    package let statistics: PairedComparison?
    /// How it came out.
    package let kind: Kind
    /// Whether nothing can be said of it, for want of seeds or of pairs.
    package var isOpen: Bool { kind == .inconclusive || kind == .unpaired }
    /// Seeds that would settle it, if it is inconclusive.
    package let seedsNeeded: Int?

    /// Compares the values of the same seeds in the same order.
    package init(
        _ metric: GatedMetric,
        before: [Double],
        after: [Double],
        setting: PairedComparison.Setting
    ) {
        self.metric = metric
        pairs = before.count
        let scale = Double(max(1, before.count))
        self.before = before.reduce(0, +) / scale
        self.after = after.reduce(0, +) / scale
        guard !before.isEmpty else {
            statistics = nil
            kind = .unpaired
            seedsNeeded = nil
            return
        }
        // The simulation repeats itself: the same figures, as far as the file has them, are no chance.
        let isUntouched = zip(before, after).allSatisfy {
            ($0 - $1).magnitude <= 1e-8 * $0.magnitude
        }
        let comparison = PairedComparison(baseline: before, candidate: after, setting: setting)
        var seedsNeeded: Int?
        let kind: Kind
        switch comparison?.verdict {
        case _ where isUntouched: kind = .same
        case .worse: kind = .worse
        case .better: kind = .better
        case .same: kind = .same
        case .inconclusive(let seeds):
            kind = .inconclusive
            seedsNeeded = seeds
        case nil:
            // From nothing to something has no percentage: judged the other way round.
            let reversed = PairedComparison(baseline: after, candidate: before, setting: setting)
            switch reversed?.verdict {
            case .better: kind = .worse
            case .worse: kind = .better
            case .same: kind = .same
            case .inconclusive(let seeds):
                kind = .inconclusive
                seedsNeeded = seeds
            case nil: kind = .unpaired
            }
        }
        statistics = comparison
        self.kind = kind
        self.seedsNeeded = seedsNeeded
    }

    /// Compares a run with a baseline in each of `metrics` that either of them has.
    package static func all(
        of metrics: [GatedMetric],
        seeds: [SeedResult],
        baseline: BudgetBaseline,
        looks: Int
    ) -> [GateComparison] {
        let touched = metrics.filter { metric in
            baseline.metrics.contains { $0.name == metric.name }
                || seeds.contains { $0.value(of: metric.name) != nil }
        }
        return touched.map { metric in
            let pairs = seeds.compactMap { seed -> (Double, Double)? in
                guard let old = baseline.value(of: metric.name, seed: seed.seed),
                    let new = seed.value(of: metric.name)
                else { return nil }
                return (old, new)
            }
            return GateComparison(
                metric,
                before: pairs.map(\.0),
                after: pairs.map(\.1),
                setting: metric.setting(sharedBy: touched.count * looks)
            )
        }
    }

    /// The change of the mean, signed, positive is more; `none` if there is no percentage.
    package var changeText: String {
        guard pairs > 0, before != 0 else { return after == 0 ? "0%" : "from none" }
        return Self.percent((after - before) / before.magnitude * 100, isSigned: true)
    }

    /// The sentence for reports: figures, change with its interval, pairs and verdict.
    package var sentence: String {
        let unit = metric.name.unit
        guard kind != .unpaired else {
            return "\(metric.name): the baseline has no value of any of these seeds"
        }
        let figures = "\(unit.text(for: before)) to \(unit.text(for: after))"
        let change = "\(changeText)\(marginText)"
        let seeds = pairs == 1 ? "1 seed" : "\(pairs) seeds"
        switch kind {
        case .worse:
            let word = metric.isHigherBetter ? "fell" : "rose"
            return "\(metric.name) \(word) from \(figures), \(change), over \(seeds)"
        case .better: return "\(metric.name) improved from \(figures), \(change), over \(seeds)"
        case .inconclusive:
            return "\(metric.name) is inconclusive: \(figures), \(change), over \(seeds); "
                + "\(seedsNeeded ?? 0) seeds would settle it"
        default: return "\(metric.name) is as it was: \(figures), \(change), over \(seeds)"
        }
    }

    /// Half the 99 % interval, as " +- 0.4%"; empty where it is zero or unknown.
    package var marginText: String {
        guard let margin = statistics?.marginPercent, margin.isFinite else { return "" }
        let text = Self.percent(margin, isSigned: false)
        return text == "0%" ? "" : " \u{B1} \(text)"
    }

    /// A percentage with one decimal, or two below one.
    package static func percent(_ value: Double, isSigned: Bool) -> String {
        guard value.isFinite else { return "unknown" }
        let text = MetricUnit.decimal(value.magnitude, places: value.magnitude < 1 ? 2 : 1)
        guard text != "0" else { return "0%" }
        return (value < 0 ? "-" : isSigned ? "+" : "") + text + "%"
    }
}
