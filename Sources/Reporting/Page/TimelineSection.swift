import Budgets
import Measurements
import Quantities

/// The timelines of all seeds that have one, the worst first and open.
enum TimelineSection {
    static func text(of run: ProfileRun) -> String {
        guard let worst = run.worstSeed else { return "" }
        let drawn = ([worst] + run.seeds.filter { $0.seed != worst.seed }).filter {
            $0.timeline?.showsPhone ?? false
        }
        guard !drawn.isEmpty else { return "" }
        var text = "<section aria-labelledby=\"timeline\">\n<h2 id=\"timeline\">Timeline</h2>\n"
        text +=
            "<p class=\"soft\">One seed in virtual time\(drawn.count == 1 ? "" : ", the worst one first"). "
        text += "Shaded: everything "
        text += "has healed and nobody touches the phone.</p>\n"
        text += key
        text += details(drawn[0], isFirst: true, of: run)
        var others = ""
        var leftOut: [UInt64] = []
        for seed in drawn.dropFirst() {
            let drawing = details(seed, isFirst: false, of: run)
            if others.utf8.count + drawing.utf8.count <= ReportPage.timelineByteLimit {
                others += drawing
            } else {
                leftOut.append(seed.seed)
            }
        }
        if !others.isEmpty {
            let count = drawn.count - 1 - leftOut.count
            text += "<details class=\"card seedlist\"><summary>\(count) other "
            text += "seed\(count == 1 ? "" : "s")</summary>\n\(others)</details>\n"
        }
        if !leftOut.isEmpty {
            text += "<p class=\"soft\">To keep the page small, seeds "
            text += "\(SeedListText.text(leftOut)) are left out; run one alone to see it.</p>\n"
        }
        return text + "</section>\n"
    }

    private static let key = """
        <ul class="key"><li><i class="f-active"></i>radio sends or receives</li>\
        <li><i class="f-tail"></i>tail</li><li><i class="f-promotion"></i>promotion</li>\
        <li><i class="f-up"></i>path up, by rate</li><li><i class="f-down"></i>path down, or a fault</li>\
        <li><i class="f-blackhole"></i>blackhole</li><li><i class="f-captive"></i>captive portal</li>\
        <li><i class="f-foreground"></i>foreground</li><li><i class="f-background"></i>background</li><li><i class="f-suspended"></i>suspended</li>\
        </ul>\n
        """

    private static func details(_ seed: SeedResult, isFirst: Bool, of run: ProfileRun) -> String {
        guard let timeline = seed.timeline else { return "" }
        var facts: [String] = []
        let broken = Set(seed.breaches.map(\.guarantee)).count
        if broken > 0 { facts.append("\(broken) guarantee\(broken == 1 ? "" : "s") broken") }
        if let energy = seed.value(of: MetricName("radio.energy_j")) {
            facts.append("radio \(MetricUnit.joules.text(for: energy))")
        }
        facts.append("\(timeline.end.description)")
        var text =
            "<details\(isFirst ? " open=\"open\"" : "")\(isFirst ? " class=\"card\"" : "")>\n"
        text += "<summary>Seed \(seed.seed): \(MarkupText.escaped(facts.joined(separator: ", ")))"
        text += "</summary>\n"
        text += TimelineDrawing(seed: seed.seed, timeline: timeline, hasTables: isFirst).text
        return text + "</details>\n"
    }
}
