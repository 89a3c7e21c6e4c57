import Budgets
import Measurements
import Quantities

/// The head of the page: what was run, how it came out, why, and the figures that matter most.
enum VerdictSection {
    static func text(of run: ProfileRun, _ verdict: PageVerdict) -> String {
        var text =
            "<header>\n<p class=\"kicker\">onebar \(verdict.command), \(escaped(run.mode)) mode, "
        text += escaped(SeedListText.counted(run.seeds.map(\.seed)))
        text += "</p>\n<h1>\(escaped(run.profile))</h1>\n"
        if !run.summary.isEmpty { text += "<p class=\"soft\">\(escaped(run.summary))</p>\n" }
        let kind = verdict.kind
        text += "<div class=\"verdict v-\(kind.rawValue)\" role=\"status\">"
        text += "<p class=\"word\">\(kind.text.capitalizedFirst)</p>\n"
        let reasons = verdict.reasons
        if reasons.isEmpty { text += "<p>\(escaped(praise(of: run)))</p>\n" }
        if !reasons.isEmpty {
            text += "<ul>\n"
            for reason in reasons.prefix(7) {
                text += "<li>\(escaped(brief(reason, of: run))).</li>\n"
            }
            if reasons.count > 7 { text += "<li>And \(reasons.count - 7) more, below.</li>\n" }
            text += "</ul>\n"
        }
        return text + "</div>\n" + tiles(of: run) + "</header>\n"
    }

    /// A reason; of a guarantee up to its first semicolon, since the story below tells the rest.
    private static func brief(_ reason: String, of run: ProfileRun) -> String {
        let isTold = run.breaches.contains { reason.contains("\($0.guarantee) broke") }
        return (isTold ? String(reason.prefix { $0 != ";" }) : reason).capitalizedFirst
    }

    private static func praise(of run: ProfileRun) -> String {
        let count = run.budgets.count { $0.verdict != .notJudged }
        let budgets =
            count == 0 ? "" : count == 1 ? ", and the budget" : ", and all \(count) budgets"
        return "Nothing was lost, sent twice, reordered, corrupted or left unfinished in any seed: "
            + "every guarantee was kept\(budgets)."
    }

    private static let tileMetrics = [
        ("radio.energy_j", "radio energy"), ("network.up_bytes", "sent over the air"),
        ("outbox.drain_s", "outbox drain"), ("upload.duration_s", "upload"),
        ("upload.overhead_pct", "upload overhead"),
        ("retry.amplification", "attempts an operation"),
        ("device.wakeups", "wake-ups"), ("memory.accounted_peak_bytes", "peak memory"),
    ]

    private static func tiles(of run: ProfileRun) -> String {
        let summaries = MetricSummary.all(of: run.seeds)
        var text = ""
        for (name, label) in tileMetrics {
            guard let summary = summaries.first(where: { $0.name.text == name }) else { continue }
            let unit = summary.name.unit
            text += "<li><span>\(label), p50</span><b>\(escaped(unit.text(for: summary[.p50])))</b>"
            text += "<span>p95 \(escaped(unit.text(for: summary[.p95])))</span>"
            if name == "radio.energy_j" {
                for radio in run.radios { text += "<span>\(escaped(radio.text))</span>" }
            }
            text += "</li>\n"
        }
        return text.isEmpty ? "" : "<ul class=\"tiles\">\n\(text)</ul>\n"
    }

    private static func escaped(_ text: String) -> String { MarkupText.escaped(text) }
}

extension String {
    /// The text with its first letter in upper case, unless the first word is a name, such as `p95` or `settles`.
    var capitalizedFirst: String {
        let word = prefix { $0 != " " }
        let isName =
            word.contains(".") || word == GuaranteeName.settles.text
            || word.dropFirst().first?.isNumber == true
        return isName ? self : prefix(1).uppercased() + dropFirst()
    }
}
