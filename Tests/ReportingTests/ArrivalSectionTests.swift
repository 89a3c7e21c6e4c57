import Budgets
import Foundation
import Measurements
import Quantities
import Testing

@testable import Reporting

/// The drawing of a herd, and what is said beside it.
@Suite struct ArrivalSectionTests {
    private var run: ProfileRun { run(hasTimeline: true) }

    private func run(
        hasTimeline: Bool,
        window: Duration = .seconds(1),
        healed: Duration = .seconds(3)
    ) -> ProfileRun {
        var timeline = Timeline(end: .zero + .seconds(20))
        timeline.arrivals = TimelineArrivals(
            windowNanoseconds: window.wholeNanoseconds,
            requests: [5_000, 0, 10, 1_200, 40],
            refused: [5_000, 0, 0, 200, 0],
            capacity: 1_000
        )
        timeline.faults = [
            TimelineSpan(
                start: .zero,
                end: .zero + healed,
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
            "Seed 4: 6,250 requests, counted by 1 s, at most 5,000 a second, at 0 s.",
            "5,200 were refused.", "at most 1,200 came in a second.",
            "The server can serve 1,000 a second; more came for 2 s.",
        ]
        for sentence in expected { #expect(text.contains(sentence), "\(sentence) in \(text)") }
        #expect(
            text.contains(
                "<svg viewBox=\"0 0 2000 300\" preserveAspectRatio=\"none\" role=\"img\">"
            )
        )
    }

    /// Windows of 2 s: 5,000 requests are 2,500 a second on average, 1,200 are 600.
    @Test func `of a longer window the mean is told as a mean`() {
        let text = ArrivalSection.text(of: run(hasTimeline: true, window: .seconds(2)))
        for sentence in [
            "counted by 2 s, on average over each at most 2,500 a second, at 0 s.",
            "at most 600 came in a second.", "more came on average for 2 s.",
            "<th class=\"n\">most a second, mean of 2 s</th>", "logarithmic, means of 2 s",
        ] { #expect(text.contains(sentence), "\(sentence) in \(text)") }
    }

    /// The herd comes in the window of its healing: from 3 s to 4 s, 1,200 come; then 40.
    @Test func `the window in which the last fault heals counts as after it`() {
        let text = ArrivalSection.text(of: run(hasTimeline: true, healed: .milliseconds(3_200)))
        let sentence = "had healed at 3.2 s (counted from 3 s) at most 1,200 came in a second."
        #expect(text.contains(sentence), "\(text)")
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
