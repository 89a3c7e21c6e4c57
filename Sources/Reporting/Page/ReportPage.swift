import Budgets
import Measurements
import Quantities

/// `report.html`: one page without a script, a font or an image from elsewhere.
///
/// What a tired engineer needs comes first: the verdict and what broke it; then budgets, the
/// timeline of the worst seed, energy, figures, faults, replay lines, and what each figure means.
package enum ReportPage {
    /// The most that timelines of further seeds may add, so that a page stays below 1 MB.
    static let timelineByteLimit = 560_000

    /// The page of `run`; the same run gives the same bytes.
    ///
    /// With `gate`, the verdict is the gate's, and what it excused is shown as excused.
    package static func text(of run: ProfileRun, gate: GateVerdict? = nil) -> String {
        let verdict = PageVerdict(of: run, gate: gate)
        let title = "\(run.profile): \(verdict.kind.text)"
        var page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
        page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
        page += "<meta name=\"color-scheme\" content=\"light dark\" />\n"
        page += "<title>\(MarkupText.escaped(title))</title>\n"
        page += "<style>\n\(ReportStyle.text)\n</style>\n</head>\n<body>\n<main>\n"
        page += VerdictSection.text(of: run, verdict)
        page += StorySection.text(of: run, verdict)
        page += BudgetSection.text(of: run, verdict)
        page += ArrivalSection.text(of: run)
        page += TimelineSection.text(of: run)
        page += EnergySection.text(of: run)
        page += MetricSection.text(of: run)
        page += FaultSection.text(of: run)
        page += ReplaySection.text(of: run)
        page += DefinitionSection.text(of: run)
        page += "<footer><p>Fingerprint <code>\(run.fingerprint)</code>. The same build, profile "
        page += "and seeds give this page again, to the byte.</p></footer>\n"
        return page + "</main>\n</body>\n</html>\n"
    }
}
