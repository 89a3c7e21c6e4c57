import Measurements

/// How one budget line came out.
package struct BudgetVerdict: Codable, Sendable, Equatable {
    /// The line.
    package let rule: BudgetRule
    /// The limit in the metric's unit; `nil` if it needs a baseline and there is none.
    package let limit: Double?
    /// The statistic; `nil` if no seed touched the metric.
    package let value: Double?
    /// How many values the statistic is of.
    package let count: Int
    /// How it came out.
    package let verdict: Kind
    /// What to know about it, such as that 5 seeds are too few for p95; empty if nothing.
    package let note: String

    /// How a budget line can come out.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case pass
        /// It is broken, and its level is `warn`.
        case warn
        /// It is broken.
        case fail
        /// No seed touched the metric: nothing was tested.
        case untested
        /// It is of a pack that had other lines to judge, and no seed touched its metric.
        case notJudged = "not-judged"
        /// It compares with a baseline that is not there.
        case noBaseline = "no-baseline"

        /// The order of tables: what has to be done first, what says nothing last.
        package static let tableOrder: [Kind] = [
            .fail, .untested, .warn, .noBaseline, .pass, .notJudged,
        ]
    }

    /// Makes a verdict.
    package init(
        rule: BudgetRule,
        limit: Double?,
        value: Double?,
        count: Int,
        verdict: Kind,
        note: String
    ) {
        self.rule = rule
        self.limit = limit
        self.value = value
        self.count = count
        self.verdict = verdict
        self.note = note
    }

    /// The metric.
    package var metric: MetricName { rule.metric }
    /// The statistic.
    package var statistic: Statistic { rule.statistic }
    /// What breaking it means.
    package var level: BudgetLevel { rule.level }

    /// The limit to print: as the profile has it, or the baseline's figure with what was asked.
    package var limitText: String {
        guard case .baseline = rule.limit else { return rule.limitText }
        guard let limit else { return "no baseline" }
        return "\(metric.unit.text(for: limit)) (\(rule.limitText))"
    }

    /// The line as a sentence's part: `radio.energy_j p95 is 1,012 J, over its limit of 950 J`.
    package var sentence: String {
        let subject = "\(metric) \(statistic.rawValue)"
        guard let value else { return "\(subject): no seed touched this metric" }
        let shown = metric.unit.text(for: value)
        guard limit != nil else {
            return "\(subject) is \(shown), and there is no baseline to compare with"
        }
        let bound = limitText
        switch verdict {
        case .pass: return "\(subject) is \(shown), within its limit of \(bound)"
        default:
            let word = rule.comparison == .atLeast ? "under" : "over"
            return "\(subject) is \(shown), \(word) its limit of \(bound)"
        }
    }
}

extension BudgetVerdict {
    /// Judges each of `rules` by the results of all seeds.
    ///
    /// A pack is written for many profiles: of its lines, those whose metric no seed touched are not
    /// judged, as long as there is a line that had something to judge.
    package static func judge(
        _ rules: [BudgetRule],
        seeds: [SeedResult],
        baseline: BudgetBaseline? = nil
    ) -> [BudgetVerdict] {
        let summaries = MetricSummary.all(of: seeds)
        let isOfOtherSeeds = baseline.map { $0.seeds != seeds.map(\.seed) } ?? false
        let all = rules.map { rule in
            judge(
                rule,
                summaries.first { $0.name == rule.metric },
                baseline,
                isOfOtherSeeds: isOfOtherSeeds
            )
        }
        let touched = Set(all.filter { $0.verdict != .untested }.compactMap(\.rule.pack))
        return all.map { verdict in
            guard verdict.verdict == .untested, let pack = verdict.rule.pack,
                touched.contains(pack)
            else { return verdict }
            return BudgetVerdict(
                rule: verdict.rule,
                limit: verdict.limit,
                value: nil,
                count: 0,
                verdict: .notJudged,
                note: verdict.note
            )
        }
    }

    private static func judge(
        _ rule: BudgetRule,
        _ summary: MetricSummary?,
        _ baseline: BudgetBaseline?,
        isOfOtherSeeds: Bool
    ) -> BudgetVerdict {
        let limit = rule.limit.resolved(
            baseline: baseline?.value(rule.statistic, of: rule.metric)
        )
        guard let summary else {
            return BudgetVerdict(
                rule: rule,
                limit: limit,
                value: nil,
                count: 0,
                verdict: .untested,
                note: "no seed touched this metric"
            )
        }
        let value = summary[rule.statistic]
        var notes: [String] = []
        if summary.count < rule.statistic.smallestUsefulCount {
            let statistic = rule.statistic.rawValue
            notes.append(
                summary.count == 1
                    ? "\(statistic) of one value is that value"
                    : "\(statistic) of fewer than \(rule.statistic.smallestUsefulCount) values "
                        + "is their largest, and there are \(summary.count)"
            )
        }
        guard let limit else {
            notes.append("no baseline is committed, onebar gate --update writes one")
            return BudgetVerdict(
                rule: rule,
                limit: nil,
                value: value,
                count: summary.count,
                verdict: .noBaseline,
                note: notes.joined(separator: "; ")
            )
        }
        if case .baseline = rule.limit, isOfOtherSeeds {
            notes.append("the baseline was made of other seeds than this run")
        }
        let holds = rule.comparison.holds(value, limit)
        return BudgetVerdict(
            rule: rule,
            limit: limit,
            value: value,
            count: summary.count,
            verdict: holds ? .pass : rule.level == .warn ? .warn : .fail,
            note: notes.joined(separator: "; ")
        )
    }
}
