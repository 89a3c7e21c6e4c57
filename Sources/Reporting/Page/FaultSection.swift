import Budgets

/// What became of each declared fault.
enum FaultSection {
    static func text(of run: ProfileRun) -> String {
        let faults = FaultTotal.all(of: run.seeds)
        guard !faults.isEmpty else { return "" }
        var text = "<section aria-labelledby=\"faults\">\n<h2 id=\"faults\">Faults</h2>\n"
        text += "<p class=\"soft\">A fault that never fires tests nothing, and fails the run.</p>\n"
        text += "<div class=\"card scroll\" tabindex=\"0\"><table class=\"faults\"><thead>"
        text += "<tr><th>fault</th>"
        text += "<th class=\"n\">seeds it fired in</th><th class=\"n\">fired</th>"
        text += "<th class=\"n\">found nothing</th><th>what it did first</th></tr></thead><tbody>\n"
        for fault in faults {
            text += "<tr><td>\(MarkupText.escaped(fault.name))</td>"
            text += "<td class=\"n\">\(fault.firedSeeds) of \(run.seeds.count)</td>"
            text += "<td class=\"n\">\(fault.fired)</td><td class=\"n\">\(fault.absorbed)</td><td>"
            if let skipped = fault.skipped {
                text += "left out: \(MarkupText.escaped(skipped))"
            } else {
                text += MarkupText.escaped(fault.detail)
            }
            text += "</td></tr>\n"
        }
        return text + "</tbody></table></div>\n</section>\n"
    }
}
