import Budgets
import Measurements

/// A gate's run with its verdict: what its files and its text are made of.
package struct GateReport: Sendable {
    /// The run that was judged.
    package let run: ProfileRun
    /// How it came out.
    package let verdict: GateVerdict
    /// How many looks were planned and how many were needed.
    package let looks: (taken: Int, planned: Int)
    /// Findings in explored seeds, which never block; a sentence each.
    package let explored: [String]

    /// Makes a report.
    package init(
        run: ProfileRun,
        verdict: GateVerdict,
        looks: (taken: Int, planned: Int) = (1, 1),
        explored: [String] = []
    ) {
        self.run = run
        self.verdict = verdict
        self.looks = looks
        self.explored = explored
    }

    /// Every file of the folder: those of a run, with the gate's own verdict where CI looks.
    package func files() throws -> [(name: String, text: String)] {
        try RunReport.files(of: run).map { file in
            switch file.name {
            case "report.html":
                return (file.name, ReportPage.text(of: run, gate: verdict))
            case "junit.xml": return (file.name, JUnitXML.text(of: [self]))
            case "summary.md": return (file.name, GateMarkdown.text(of: self))
            default: return file
            }
        } + [
            ("gate.json", GateJSON.value(of: self).prettyText + "\n"),
            ("metrics.txt", OpenMetricsText.text(of: [run])),
        ]
    }

    /// The largest change that could hide, over the metrics that have a scatter; nil without one.
    var coarsest: GateComparison? {
        verdict.comparisons
            .filter { $0.statistics?.smallestVisiblePercent.isFinite == true }
            .max {
                ($0.statistics?.smallestVisiblePercent ?? 0)
                    < ($1.statistics?.smallestVisiblePercent ?? 0)
            }
    }

    /// How fine the gate can see, as a sentence; nil without a comparison.
    var resolution: String? {
        guard let coarsest, let visible = coarsest.statistics?.smallestVisiblePercent else {
            return nil
        }
        guard visible > 1e-4 else { return "every figure is the same, seed by seed" }
        return "the smallest change that is seen in 19 of 20 tries: "
            + "\(GateComparison.percent(visible, isSigned: false)) "
            + "(\(coarsest.metric.name), scatter "
            + "\(GateComparison.percent(coarsest.statistics?.scatterPercent ?? 0, isSigned: false)))"
    }
}
