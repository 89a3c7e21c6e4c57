import CaptureAnalysis
import Foundation
import PacketCapture
import Reporting

/// Writes the report of a capture as files.
enum AnalyzeFolder {
    static func write(
        _ report: CaptureReport,
        _ verdicts: [AnalyzeBudgets.Verdict],
        to folder: String,
        shown: String
    ) throws(CaptureError) {
        let files = [
            ("report.html", AnalyzePage.html(report, verdicts)),
            ("states.csv", AnalyzeCSV.totals(report) + "\n"),
            ("bursts.csv", AnalyzeCSV.bursts(report) + "\n"),
            ("hosts.csv", AnalyzeCSV.hosts(report) + "\n"),
            ("run.json", AnalyzeJSON.object(report, verdicts).prettyText + "\n"),
        ]
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            for (name, text) in files {
                try Data(text.utf8).write(
                    to: URL(filePath: folder).appending(path: name),
                    options: .atomic
                )
            }
        } catch {
            throw CaptureError(
                path: shown,
                "the report cannot be written",
                remedy: "check that the folder can be made and has space",
                kind: .unwritable
            )
        }
    }
}
