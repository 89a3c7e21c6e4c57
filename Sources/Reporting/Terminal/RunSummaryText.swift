import Budgets
import Measurements
import Quantities

/// What `onebar run` prints of a run: readable at 80 columns, with or without colour.
package struct RunSummaryText {
    /// Figures that are printed if a run touched them, in this order.
    package static let keyMetrics: [String] = [
        "radio.energy_j", "radio.marginal_energy_j", "radio.tail_energy_j", "radio.on_s",
        "radio.promotions",
        "battery.app_share_pct", "network.up_bytes", "network.down_bytes",
        "upload.overhead_pct", "upload.duration_s", "outbox.drain_s", "outbox.promise_to_ack_s",
        "retry.amplification", "storage.syncs", "memory.accounted_peak_bytes",
    ]

    private let run: ProfileRun
    private let paint: TerminalPaint
    private let width = 80

    /// Makes the text of `run`; `isColored` is false for files, pipes and NO_COLOR.
    package init(_ run: ProfileRun, isColored: Bool) {
        self.run = run
        self.paint = TerminalPaint(isColored: isColored)
    }

    /// The text, with a line break at its end.
    package var text: String {
        var lines = head
        lines += otherReasons
        lines += broken
        lines += budgets
        lines += figures
        lines += operations
        lines.append("")
        lines.append(paint.faint("fingerprint \(run.fingerprint)"))
        return lines.joined(separator: "\n") + "\n"
    }

    private var head: [String] {
        let word = paint.word(for: run.verdict.verdict)
        let noun = SeedListText.counted(run.seeds.map(\.seed))
        var lines = ["\(paint.strong(run.profile))  \(word)  \(noun), \(run.mode) mode"]
        if !run.radios.isEmpty {
            lines += wrapped("radio ", run.radios.map(\.text).joined(separator: ", "))
        }
        return lines
    }

    /// Reasons that no list below tells: faults that never fired, seeds that differ.
    private var otherReasons: [String] {
        let told = Set(run.budgets.map(\.sentence) + run.budgets.map { "warning: \($0.sentence)" })
        let guarantees = Set(run.breaches.map(\.guarantee.text))
        let rest = run.verdict.reasons.filter { reason in
            !told.contains(reason) && !guarantees.contains { reason.hasPrefix("\($0) broke") }
        }
        return rest.isEmpty ? [] : [""] + rest.flatMap { wrapped("! ", $0) }
    }

    private var broken: [String] {
        var seen: Set<GuaranteeName> = []
        let firsts = run.breaches.filter { seen.insert($0.guarantee).inserted }
        guard !firsts.isEmpty else { return [] }
        var lines = ["", paint.strong("Broken guarantees")]
        for breach in firsts {
            let seeds = run.seeds.count {
                $0.breaches.contains { $0.guarantee == breach.guarantee }
            }
            let count =
                run.seeds.count == 1 ? "" : "  in \(seeds) of \(run.seeds.count) seeds"
            lines.append("  \(paint.bad(breach.guarantee.text))\(count)")
            lines += wrapped("    ", breach.message)
            lines += breach.story.flatMap { line in
                wrapped("      \(padded(line.instant.description, 15)) ", line.text)
            }
            lines.append("    replay: \(run.replay(breach.seed))")
        }
        return lines
    }

    private var budgets: [String] {
        guard !run.budgets.isEmpty else { return [] }
        var lines = ["", paint.strong(row("Budgets", "value", "limit"))]
        for verdict in run.budgets {
            let unit = verdict.metric.unit
            let word: String
            switch verdict.verdict {
            case .pass: word = paint.good("ok  ")
            case .warn: word = paint.warning("warn")
            case .fail: word = paint.bad("FAIL")
            case .untested: word = paint.bad("none")
            case .notJudged: word = paint.faint("idle")
            case .noBaseline: word = paint.warning("base")
            }
            let name = "\(verdict.metric) \(verdict.statistic.rawValue)"
            let limit =
                verdict.limit == nil
                ? "no baseline" : "\(verdict.rule.comparison.rawValue) \(limitText(verdict))"
            let value = verdict.value.map(unit.text(for:)) ?? "untouched"
            let plain = row("       " + name, value, limit)
            lines.append("  \(word)" + plain.dropFirst(6))
        }
        lines += BudgetNotes.all(of: run).flatMap { wrapped("       ", $0) }.map(paint.faint)
        let isRelative = run.budgets.contains { verdict in
            guard case .baseline = verdict.rule.limit else { return false }
            return verdict.limit != nil
        }
        if isRelative {
            lines.append(paint.faint("       * from the committed baseline"))
        }
        return lines
    }

    /// The limit, short enough for its column.
    private func limitText(_ verdict: BudgetVerdict) -> String {
        guard case .baseline = verdict.rule.limit, let limit = verdict.limit else {
            return verdict.limitText
        }
        return verdict.metric.unit.text(for: limit) + " *"
    }

    private var figures: [String] {
        let summaries = MetricSummary.all(of: run.seeds)
        let shown = Self.keyMetrics.compactMap { name in
            summaries.first { $0.name.text == name }
        }
        guard !shown.isEmpty else { return [] }
        var lines = ["", paint.strong(row("Figures", "p50", "p95"))]
        for summary in shown {
            let unit = summary.name.unit
            lines.append(
                row(
                    "  \(summary.name)",
                    unit.text(for: summary[.p50]),
                    unit.text(for: summary[.p95])
                )
            )
        }
        let grades = run.radios.map { "\($0.name): grade \($0.grade), \($0.gradeMeaning)" }
        if !grades.isEmpty {
            lines += wrapped("  joules by ", grades.joined(separator: "; ")).map(paint.faint)
        }
        return lines
    }

    /// Which operations cost the most, how much of it is tail, and what would have saved most.
    private var operations: [String] {
        let ranking = EnergyRanking(run.seeds).operations.prefix(3)
        guard !ranking.isEmpty else { return [] }
        var lines = ["", paint.strong(row("Energy by operation, mean", "joules", "of it tail"))]
        for entry in ranking {
            let joules = MetricUnit.joules.text(for: entry.joules)
            let owner = entry.owner.count > 38 ? entry.owner.prefix(37) + "…" : entry.owner
            lines.append(row("  \(owner)", joules, "\(Int(entry.tailPercent.rounded())) %"))
        }
        guard let seed = run.seeds.first(where: { !($0.advice ?? []).isEmpty }) else {
            return lines
        }
        lines += ["", paint.strong("What would have saved most in seed \(seed.seed)")]
        for item in seed.advice ?? [] {
            let joules = MetricUnit.joules.text(for: Double(item.savedNanojoules) / 1e9)
            lines += wrapped("  \(padded(joules, 9, toRight: true))  ", item.message)
        }
        return lines
    }

    /// A name on the left and two figures on the right.
    private func row(_ name: String, _ first: String, _ second: String) -> String {
        padded(name, 42) + padded(first, 18, toRight: true) + padded(second, 19, toRight: true)
    }

    private func padded(_ text: String, _ count: Int, toRight: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, count - text.count))
        return toRight ? space + text : text + space
    }

    /// `text` after `prefix`, broken between words, further lines indented under the first.
    private func wrapped(_ prefix: String, _ text: String) -> [String] {
        let indent = String(repeating: " ", count: prefix.count)
        var lines: [String] = []
        var line = prefix
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > width, line.count > prefix.count {
                lines.append(line)
                line = indent
            }
            line += (line.count == prefix.count ? "" : " ") + word
        }
        return lines + [line]
    }
}
