import Budgets
import Measurements
import Quantities

/// The lines that bring a seed back, and its fingerprint to compare with.
enum ReplaySection {
    static func text(of run: ProfileRun) -> String {
        guard let worst = run.worstSeed else { return "" }
        var text = "<section aria-labelledby=\"replay\">\n<h2 id=\"replay\">Run it again</h2>\n"
        text += "<p class=\"soft\">A seed gives the same run each time"
        text += run.seeds.count == 1 ? ".</p>\n" : "; seed \(worst.seed) is the worst one.</p>\n"
        text += "<pre>\(MarkupText.escaped(run.replay(worst.seed)))</pre>\n"
        let broken = run.seeds.filter { !$0.breaches.isEmpty && $0.seed != worst.seed }
        if !broken.isEmpty {
            let lines = broken.prefix(10).map { MarkupText.escaped(run.replay($0.seed)) }
            text += "<p class=\"soft\">Others that broke a guarantee:</p>\n"
            text += "<pre>\(lines.joined(separator: "\n"))</pre>\n"
        }
        text +=
            "<details><summary>Fingerprints by seed</summary><div class=\"scroll\" tabindex=\"0\">"
        text +=
            "<table><thead><tr><th>seed</th><th>fingerprint</th><th class=\"n\">virtual end</th>"
        text += "</tr></thead><tbody>\n"
        for seed in run.seeds {
            text +=
                "<tr><td>\(seed.seed)</td><td><code>\(MarkupText.escaped(seed.fingerprint))</code>"
            text +=
                "</td><td class=\"n\">\(MarkupText.escaped(seed.virtualEnd.description))</td></tr>\n"
        }
        return text + "</tbody></table></div></details>\n</section>\n"
    }
}
