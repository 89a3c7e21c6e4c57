import Budgets
import Foundation

/// The report of one profile's run: every file of `reports/<name>/`.
package enum RunReport {
    /// The names and texts of all files; the same run gives the same bytes.
    package static func files(of run: ProfileRun) throws -> [(name: String, text: String)] {
        [
            ("report.html", ReportPage.text(of: run)),
            ("run.json", RunJSON.file(of: run)),
            ("metrics.csv", RunCSV.metrics(of: run)),
            ("budgets.csv", RunCSV.budgets(of: run)),
            ("energy.csv", RunCSV.energy(of: run)),
            ("timeline.csv", RunCSV.timeline(of: run.worstSeed)),
            ("junit.xml", JUnitXML.text(of: [run])),
            ("summary.md", SummaryMarkdown.text(of: run)),
            ("result.json", try StoredRun.text(of: run)),
        ]
    }

    /// Writes all files to `folder`, or none.
    package static func write(_ run: ProfileRun, to folder: String) throws(ReportError) {
        let files: [(name: String, text: String)]
        do {
            files = try self.files(of: run)
        } catch {
            throw ReportError(
                path: folder,
                problem: "cannot be written: \(error)",
                remedy: "this is a fault of the lab; please report it",
                exitCode: 70
            )
        }
        try ReportFolder.write(files, to: folder)
    }
}
