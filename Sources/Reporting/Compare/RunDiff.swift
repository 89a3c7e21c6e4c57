import Budgets
import Measurements

/// Two runs side by side: every metric in pairs of seeds, and the guarantees that differ.
package struct RunDiff: Sendable {
    /// The earlier run.
    package let before: ProfileRun
    /// The later run.
    package let after: ProfileRun
    /// Every metric that both touched, the clearest change first.
    package let comparisons: [GateComparison]
    /// Seeds that both have, ascending.
    package let seeds: [UInt64]
    /// What makes the comparison doubtful, a sentence each.
    package let doubts: [String]

    /// Compares two runs.
    package init(before: ProfileRun, after: ProfileRun) {
        self.before = before
        self.after = after
        let old = Dictionary(before.seeds.map { ($0.seed, $0) }) { first, _ in first }
        let pairs = after.seeds.compactMap { new in old[new.seed].map { ($0, new) } }
        seeds = pairs.map(\.1.seed)
        let names = MetricSummary.all(of: before.seeds).map(\.name)
        comparisons = names.compactMap { name in
            let values = pairs.compactMap { old, new -> (Double, Double)? in
                guard let first = old.value(of: name), let second = new.value(of: name) else {
                    return nil
                }
                return (first, second)
            }
            guard !values.isEmpty else { return nil }
            let metric = GatedMetric(name: name)
            // Each metric by itself at 99.5 %, however small its change: this is for looking, not
            // for blocking, and of forty metrics that only scatter one in five diffs shows one.
            var setting = metric.setting(sharedBy: 1)
            setting.ignoredPercent = 0
            return GateComparison(
                metric,
                before: values.map(\.0),
                after: values.map(\.1),
                setting: setting
            )
        }
        .enumerated().sorted {
            let (left, right) = (Self.clarity($0.element), Self.clarity($1.element))
            return left != right ? left > right : $0.offset < $1.offset
        }
        .map(\.element)
        var doubts: [String] = []
        if before.profile != after.profile {
            doubts.append("the profiles are two: '\(before.profile)' and '\(after.profile)'")
        }
        if before.mode != after.mode {
            doubts.append("the modes are two: \(before.mode) and \(after.mode)")
        }
        let alone = before.seeds.count + after.seeds.count - 2 * pairs.count
        if alone > 0 {
            doubts.append(
                alone == 1
                    ? "1 seed is in one run only and was left out"
                    : "\(alone) seeds are in one run only and were left out"
            )
        }
        self.doubts = doubts
    }

    /// Guarantees that broke in one run only: name, and whether it is the later one.
    package var guarantees: [(name: GuaranteeName, isNew: Bool)] {
        let old = Set(before.breaches.map(\.guarantee))
        let new = Set(after.breaches.map(\.guarantee))
        return new.subtracting(old).sorted().map { ($0, true) }
            + old.subtracting(new).sorted().map { ($0, false) }
    }

    /// How clear a change is: its size, in margins of its 99 % interval where it has one.
    private static func clarity(_ comparison: GateComparison) -> Double {
        if comparison.kind == .same, comparison.before == comparison.after { return 0 }
        let change = comparison.statistics?.changePercent.magnitude ?? .greatestFiniteMagnitude
        switch comparison.kind {
        case .worse, .better: return 1e6 + change
        case .inconclusive: return 1e3 + min(change, 1e5)
        case .same, .unpaired: return min(change, 1e2)
        }
    }

    /// The object of `diff --json`: format `onebar.diff/1`.
    package var json: JSONValue {
        .object([
            JSONMember("format", .string("onebar.diff/1")),
            JSONMember("before", .string(before.profile)),
            JSONMember("after", .string(after.profile)),
            JSONMember("seeds", .string(SeedListText.text(seeds))),
            JSONMember("doubts", .array(doubts.map { .string($0) })),
            JSONMember("newly_broken", .array(names(areNew: true))),
            JSONMember("mended", .array(names(areNew: false))),
            JSONMember("comparisons", .array(comparisons.map(GateJSON.comparison))),
        ])
    }

    private func names(areNew: Bool) -> [JSONValue] {
        guarantees.filter { $0.isNew == areNew }.map { .string($0.name.text) }
    }

    /// What `onebar diff` prints; metrics that are the same are counted unless `showsAll`.
    package func text(isColored: Bool, showsAll: Bool) -> String {
        let paint = TerminalPaint(isColored: isColored)
        let count = seeds.count == 1 ? "1 seed" : "\(seeds.count) seeds"
        var lines = [
            "\(paint.strong(before.profile == after.profile ? after.profile : "diff"))  "
                + "\(count) in both (\(SeedListText.text(seeds)))"
        ]
        lines += doubts.map { paint.warning("~ ") + $0 }
        lines += guarantees.map {
            $0.isNew
                ? paint.bad("! \($0.name) breaks in the second run only")
                : paint.good("  \($0.name) does not break any more")
        }
        let shown = showsAll ? comparisons : comparisons.filter { $0.kind != .same }
        if !shown.isEmpty {
            lines += ["", paint.strong(row("", "first", "second", "change ± (99 %)"))]
        }
        for comparison in shown {
            let unit = comparison.metric.name.unit
            let word: String
            switch comparison.kind {
            case .worse: word = paint.bad("more ")
            case .better: word = paint.good("less ")
            case .inconclusive: word = paint.warning("open ")
            case .same, .unpaired: word = "same "
            }
            let figures = row(
                comparison.metric.name.text,
                unit.text(for: comparison.before),
                unit.text(for: comparison.after),
                comparison.changeText + comparison.marginText
            )
            lines.append(word + figures.dropFirst(5))
        }
        let same = comparisons.count { $0.kind == .same }
        if !showsAll, same > 0 {
            lines += ["", paint.faint("\(same) metrics are as they were (--all shows them)")]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ name: String, _ first: String, _ second: String, _ third: String) -> String {
        func left(_ text: String, _ count: Int) -> String {
            String(repeating: " ", count: max(1, count - text.count)) + text
        }
        // A duration takes 13 columns: "10 min 14.3 s".
        let padding = String(repeating: " ", count: max(0, 29 - name.count))
        return "     " + name + padding + left(first, 14) + left(second, 14) + left(third, 18)
    }
}
