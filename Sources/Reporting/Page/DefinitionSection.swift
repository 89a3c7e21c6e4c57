import Budgets
import Measurements

/// What each figure and each guarantee on the page means.
enum DefinitionSection {
    static func text(of run: ProfileRun) -> String {
        let names = MetricSummary.all(of: run.seeds).map(\.name)
        var text =
            "<section aria-labelledby=\"meaning\">\n<h2 id=\"meaning\">What the figures mean</h2>\n"
        text += "<details><summary>\(names.count) metrics</summary><dl class=\"words\">\n"
        for name in names {
            text += "<dt><code>\(MarkupText.escaped(name.text))</code> "
            text += "<span class=\"soft\">\(MarkupText.escaped(name.unit.rawValue))</span></dt>"
            if let definition = name.definition {
                text += "<dd>\(MarkupText.escaped(definition.meaning)) "
                text += "\(MarkupText.escaped(definition.computation.capitalizedFirst)) "
                text += "From: \(MarkupText.escaped(definition.module)).</dd>\n"
            } else {
                text += "<dd>A measure of the profile's own.</dd>\n"
            }
        }
        text += "</dl></details>\n<details><summary>Guarantees</summary><dl class=\"words\">\n"
        for guarantee in GuaranteeName.builtIn {
            text += "<dt><code>\(MarkupText.escaped(guarantee.text))</code></dt>"
            text += "<dd>\(MarkupText.escaped(guarantee.meaning))</dd>\n"
        }
        text +=
            "</dl></details>\n<p class=\"soft\">Energy is the radio model's, with the year and grade "
        text +=
            "of its source: A, timers and powers published; B, timers published; C, assumed.</p>\n"
        return text + "</section>\n"
    }
}
