import Foundation
import Measurements
import Reporting
import Testing

/// The page of `onebar history --html`: all of it is seen on a phone as on a desk.
@Suite struct SeriesPageTests {
    static let page = SeriesPage(
        title: "radio.energy_j of commute",
        metric: MetricName("radio.energy_j"),
        points: [("0123456789ab", 830.0), ("ba9876543210", 840)].map { label, joules in
            SeriesPage.Point(
                label: label,
                recorded: "2026-11-30T15:32:02Z",
                median: joules,
                upper: joules + 10,
                count: 20,
                verdict: "pass"
            )
        }
    ).text

    @Test func `the page is well-formed, and asks nothing of a network`() {
        let check = MarkupCheck(Self.page)
        #expect(check.problem == nil)
        #expect(check.repeatedIDs.isEmpty)
        #expect(!Self.page.contains("//"))
    }

    @Test func `a phone has a chart of its own width, not a wide one to be scrolled`() throws {
        // 390 px less twice 14 of margin, 1 of border and 16 of padding are 328.
        #expect(Self.page.contains("<svg class=\"series narrow\" viewBox=\"0 0 330 240\""))
        #expect(Self.page.contains("svg.wide{display:none}svg.narrow{display:block}"))
        #expect(!Self.page.contains("min-width:480px"))
        // Both begin with the oldest and end with the newest commit.
        let charts = Self.page.components(separatedBy: "<svg ").dropFirst()
        #expect(charts.count == 2)
        for chart in charts {
            let oldest = try #require(chart.firstRange(of: ">0123456789ab<"))
            let newest = try #require(chart.firstRange(of: ">ba9876543210<"))
            #expect(oldest.upperBound <= newest.lowerBound)
        }
    }

    @Test func `the newest run stands first, its time where it can go below its commit`() throws {
        let table = try #require(Self.page.components(separatedBy: "<tbody>").last)
        #expect(
            table.hasPrefix(
                "\n<tr><td><code>ba9876543210</code> "
                    + "<time><span>2026-11-30</span> <span>15:32:02Z</span></time></td>"
            )
        )
    }
}
