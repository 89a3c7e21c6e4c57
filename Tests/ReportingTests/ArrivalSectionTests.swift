import Budgets
import Foundation
import Measurements
import Quantities
import Testing

@testable import Reporting

/// The drawing of a herd, and what is said beside it.
@Suite struct ArrivalSectionTests {
    private var run: ProfileRun { run(hasTimeline: true) }

    private func run(hasTimeline: Bool) -> ProfileRun {
        var timeline = Timeline(end: .zero + .seconds(20))
        timeline.arrivals = TimelineArrivals(
            windowNanoseconds: 1_000_000_000,
            requests: [5_000, 0, 10, 1_200, 40],
            refused: [5_000, 0, 0, 200, 0],
            capacity: 1_000
        )
        timeline.faults = [
            TimelineSpan(
                start: .zero,
                end: .zero + .seconds(3),
                kind: "fault",
                label: "server.unavailable at 0 s"
            )
        ]
        let seed = SeedResult(
            seed: 4,
            mode: "captured",
            metrics: [],
            fingerprint: "0",
            virtualEnd: timeline.end,
            timeline: hasTimeline ? timeline : nil
        )
        return ProfileRun(profile: "herd", mode: "captured", radios: [], seeds: [seed], rules: [])
    }

    @Test func `the words say what the drawing shows`() {
        let text = ArrivalSection.text(of: run)
        let expected = [
            "Seed 4: 6250 requests, counted by 1 s, at most 5,000 a second, at 0 s.",
            "5200 were refused.", "at most 1,200 came in a second.",
            "The server can serve 1000 a second; more came for 2 s.",
        ]
        for sentence in expected { #expect(text.contains(sentence), "\(sentence) in \(text)") }
        #expect(
            text.contains(
                "<svg viewBox=\"0 0 2000 300\" preserveAspectRatio=\"none\" role=\"img\">"
            )
        )
    }

    /// From 0.5 at the ground, 300, to 7,000 at the top, 0: log10(2) / log10(14,000) of the height is 1,
    /// log10(2,000) / log10(14,000) is 1,000.
    @Test func `the scale is logarithmic, with a line for each decade`() {
        let text = ArrivalSection.text(of: run)
        #expect(text.contains("<path class=\"grid\" d=\"M0 278H2000\"/>"))
        #expect(text.contains("<path class=\"capacity\" d=\"M0 61H2000\"/>"))
        #expect(text.components(separatedBy: "class=\"grid\"").count - 1 == 4)
    }

    @Test func `a run without arrivals has no such section, and the page is well-formed with one`()
    {
        #expect(ArrivalSection.text(of: run(hasTimeline: false)).isEmpty)
        let page = ReportPage.text(of: run)
        #expect(page.contains("Arrivals at the server"))
        #expect(!page.contains("<h2 id=\"timeline\">"))
    }
}
