import Budgets
import Measurements
import Quantities

/// What broke, told: each guarantee with the first seeds that broke it, line by line.
enum StorySection {
    private static let shownPerGuarantee = 6

    static func text(of run: ProfileRun, _ verdict: PageVerdict) -> String {
        let names = Set(run.breaches.map(\.guarantee)).sorted()
        guard !names.isEmpty else { return "" }
        var text = "<section aria-labelledby=\"broke\">\n<h2 id=\"broke\">What broke</h2>\n"
        for name in names {
            let breaches = run.breaches.filter { $0.guarantee == name }
            let seeds = Set(breaches.map(\.seed)).count
            let excuse = verdict.excuse(of: name.text)
            let badge = excuse == nil ? ("fail", "broken") : ("warn", "excused")
            text +=
                "<article class=\"card\">\n<h3><span class=\"badge b-\(badge.0)\">\(badge.1)</span> "
            text += "<code>\(MarkupText.escaped(name.text))</code> in \(seeds) of "
            text += "\(run.seeds.count) seed\(run.seeds.count == 1 ? "" : "s")</h3>\n"
            text += "<p class=\"soft\">\(MarkupText.escaped(name.meaning))</p>\n"
            if let excuse {
                text += "<p>\(MarkupText.escaped(excuse.capitalizedFirst)).</p>\n"
            }
            text += story(breaches[0], isOpen: true, of: run)
            let others = breaches.dropFirst()
            if !others.isEmpty {
                text += "<details><summary>\(others.count) more</summary>\n"
                for breach in others.prefix(shownPerGuarantee) {
                    text += story(breach, isOpen: false, of: run)
                }
                if others.count > shownPerGuarantee {
                    text += "<p class=\"soft\">And \(others.count - shownPerGuarantee) more; "
                    text += "<code>run.json</code> lists them all.</p>\n"
                }
                text += "</details>\n"
            }
            text += "</article>\n"
        }
        return text + "</section>\n"
    }

    private static func story(_ breach: GuaranteeBreach, isOpen: Bool, of run: ProfileRun) -> String
    {
        var text = "<details\(isOpen ? " open=\"open\"" : "")>\n<summary>Seed \(breach.seed), "
        text += "\(MarkupText.escaped(breach.instant.description)): "
        text += "\(MarkupText.escaped(breach.message))"
        if breach.occurrences > 1 { text += " (seen \(breach.occurrences) times)" }
        text += ".</summary>\n"
        if !breach.story.isEmpty {
            text += "<ol class=\"story\">\n"
            for line in breach.story {
                text += "<li><time>\(MarkupText.escaped(line.instant.description))</time>"
                text += "<span>\(MarkupText.escaped(line.text))</span></li>\n"
            }
            text += "</ol>\n"
        }
        text += "<pre>\(MarkupText.escaped(run.replay(breach.seed)))</pre>\n"
        return text + "</details>\n"
    }
}
