import Foundation
import Reporting
import Testing

/// Writes sample reports where `ONEBAR_SAMPLE_REPORTS` says, to be looked at in a browser.
@Suite struct SampleReportTests {
    static let folder = ProcessInfo.processInfo.environment["ONEBAR_SAMPLE_REPORTS"]

    @Test(.enabled(if: folder != nil, "set ONEBAR_SAMPLE_REPORTS to a folder to look at samples"))
    func `sample reports can be looked at`() throws {
        let folder = try #require(Self.folder)
        try RunReport.write(SampleCommute.run(count: 20), to: "\(folder)/pass")
        try RunReport.write(SampleCommute.run(count: 50, isBroken: true), to: "\(folder)/fail")
        for name in ["pass", "fail"] {
            let page = try String(contentsOfFile: "\(folder)/\(name)/report.html", encoding: .utf8)
            #expect(page.utf8.count < 1_000_000)
        }
        let run = try SampleCommute.run(count: 50, isBroken: true)
        print(RunSummaryText(run, isColored: false).text)
    }
}
