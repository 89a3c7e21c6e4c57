import Budgets
import Measurements

/// Who drew how much energy, with the tails of its wake-ups apart; the mean of all seeds.
enum EnergySection {
    private struct Share {
        let owner: String
        var active = 0.0
        var tail = 0.0
        var other = 0.0
        var total: Double { active + tail + other }
    }

    static func text(of run: ProfileRun) -> String {
        let shares = self.shares(of: run.seeds)
        guard let largest = shares.first, largest.total > 0 else { return "" }
        var text =
            "<section aria-labelledby=\"energy\">\n<h2 id=\"energy\">Energy by operation</h2>\n"
        text +=
            "<p class=\"soft\">Joules of a seed, the mean of all. A tail belongs to the wake-up that "
        text += "caused it; a rider pays what it adds.</p>\n"
        text += leading(shares)
        for radio in run.radios {
            text += "<p class=\"soft\"><code>\(MarkupText.escaped(radio.name))</code>: "
            text += radio.year > 0 ? "published \(radio.year), " : ""
            text += "grade \(MarkupText.escaped(radio.grade)), "
            text += "\(MarkupText.escaped(radio.gradeMeaning)).</p>\n"
        }
        text += "<ul class=\"key\"><li><i class=\"f-active\"></i>promotion and transfer</li>"
        text += "<li><i class=\"f-tail\"></i>tail</li>"
        text += "<li><i class=\"f-other\"></i>processor, flash, screen, idle</li></ul>\n"
        text += "<div class=\"card energy\">\n"
        for share in shares.prefix(12) { text += row(share, of: largest.total) }
        if shares.count > 12 {
            text += "<p class=\"soft\">\(shares.count - 12) smaller ones are in the table.</p>\n"
        }
        return text + table(shares) + "</div>\n" + advice(run) + "</section>\n"
    }

    /// Which operation costs the most, and how much of it is tail.
    private static func leading(_ shares: [Share]) -> String {
        guard let first = shares.first(where: { !EnergyRanking.isPhone($0.owner) }) else {
            return ""
        }
        let tail = Int((first.tail / max(first.total, 1e-12) * 100).rounded())
        // Screen and an awake phone may draw more: no operation has a part in them.
        return "<p>Of the app's operations <b>\(MarkupText.escaped(first.owner))</b> "
            + "costs the most: \(joules(first.total)), of which \(tail) % is tail.</p>\n"
    }

    /// What would have saved most, by a run of the ledger over changed traffic.
    private static func advice(_ run: ProfileRun) -> String {
        guard let seed = run.seeds.first(where: { !($0.advice ?? []).isEmpty }) else { return "" }
        var text = "<p>What would have saved most in seed \(seed.seed), each computed by running "
        text += "the radio's ledger over the changed traffic:</p>\n<ul>\n"
        for item in seed.advice ?? [] {
            text += "<li>\(joules(Double(item.savedNanojoules) / 1e9)): "
            text += "\(MarkupText.escaped(item.message))</li>\n"
        }
        return text + "</ul>\n"
    }

    private static func row(_ share: Share, of largest: Double) -> String {
        func width(_ value: Double) -> Int { Int((value / largest * 2_000).rounded()) }
        let (active, tail) = (width(share.active), width(share.tail))
        let owner = MarkupText.escaped(share.owner)
        var text =
            "<div class=\"row\"><div class=\"lab\"><b>\(owner)</b></div><div class=\"plot thin\">"
        text +=
            "<svg viewBox=\"0 0 2000 14\" preserveAspectRatio=\"none\" role=\"img\"><title>\(owner): "
        text += "\(joules(share.active)) transfer, \(joules(share.tail)) tail, "
        text += "\(joules(share.other)) other</title>"
        text += "<rect class=\"f-active\" x=\"0\" y=\"0\" width=\"\(active)\" height=\"14\"/>"
        text += "<rect class=\"f-tail\" x=\"\(active)\" y=\"0\" width=\"\(tail)\" height=\"14\"/>"
        text += "<rect class=\"f-other\" x=\"\(active + tail)\" y=\"0\" "
        text += "width=\"\(width(share.other))\" height=\"14\"/></svg></div>"
        return text + "<div class=\"n\">\(joules(share.total))</div></div>\n"
    }

    private static func table(_ shares: [Share]) -> String {
        var text =
            "<details><summary>The same as a table</summary><div class=\"scroll\" tabindex=\"0\">"
        text += "<table><thead><tr><th>operation</th><th class=\"n\">transfer</th>"
        text += "<th class=\"n\">tail</th><th class=\"n\">other</th><th class=\"n\">sum</th></tr>"
        text += "</thead><tbody>\n"
        for share in shares {
            text += "<tr><td>\(MarkupText.escaped(share.owner))</td>"
            for value in [share.active, share.tail, share.other, share.total] {
                text += "<td class=\"n\">\(joules(value))</td>"
            }
            text += "</tr>\n"
        }
        return text + "</tbody></table></div></details>\n"
    }

    private static func joules(_ value: Double) -> String { MetricUnit.joules.text(for: value) }

    private static func shares(of seeds: [SeedResult]) -> [Share] {
        var shares: [String: Share] = [:]
        for entry in seeds.flatMap(\.energy) {
            let owner = entry.owner.isEmpty ? "(nobody)" : entry.owner
            var share = shares[owner] ?? Share(owner: owner)
            share.active += Double(entry.activeNanojoules) / 1e9
            share.tail += Double(entry.tailNanojoules) / 1e9
            share.other += Double(entry.otherNanojoules) / 1e9
            shares[owner] = share
        }
        let count = Double(max(1, seeds.count))
        return shares.values
            .map {
                Share(
                    owner: $0.owner,
                    active: $0.active / count,
                    tail: $0.tail / count,
                    other: $0.other / count
                )
            }
            .sorted { $0.total != $1.total ? $0.total > $1.total : $0.owner < $1.owner }
    }
}
