import Budgets
import Measurements
import Quantities

/// When a fleet's requests came to the server, beside what it can serve: the worst seed.
enum ArrivalSection {
    static func text(of run: ProfileRun) -> String {
        let worst = run.worstSeed.map { [$0] } ?? []
        guard let seed = (worst + run.seeds).first(where: { $0.timeline?.arrivals != nil }),
            let timeline = seed.timeline, let arrivals = timeline.arrivals,
            !arrivals.requests.isEmpty
        else { return "" }
        let drawing = ArrivalDrawing(seed: seed.seed, timeline: timeline, arrivals: arrivals)
        var text = "<section aria-labelledby=\"arrivals\">\n"
        text += "<h2 id=\"arrivals\">Arrivals at the server</h2>\n"
        text += "<p class=\"soft\">\(MarkupText.escaped(drawing.summary))</p>\n"
        text += "<div class=\"card\">\n" + key(of: arrivals) + drawing.text + "</div>\n"
        return text + ArrivalTable(arrivals: arrivals).text + "</section>\n"
    }

    private static func key(of arrivals: TimelineArrivals) -> String {
        var text = "<ul class=\"key\"><li><i class=\"f-active\"></i>requests</li>"
        if arrivals.refused.contains(where: { $0 > 0 }) {
            text += "<li><i class=\"f-tail\"></i>of them refused</li>"
        }
        if arrivals.capacity != nil {
            text += "<li><i class=\"capacity\"></i>what the server can serve</li>"
        }
        return text + "<li><i class=\"outage\"></i>a fault lasts</li></ul>\n"
    }
}

/// The numbers of the drawing, for those who do not see it.
struct ArrivalTable {
    private static let mostRows = 60
    let arrivals: TimelineArrivals

    var text: String {
        let count = arrivals.requests.count
        let step = (count + Self.mostRows - 1) / Self.mostRows
        var text = "<details><summary>The same as a table</summary>\n"
        text += "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>from</th>"
        text += "<th class=\"n\">requests</th><th class=\"n\">refused</th>"
        let most = arrivals.isBySecond ? "in a second" : "a second, mean of \(arrivals.windowText)"
        text += "<th class=\"n\">most \(most)</th></tr></thead><tbody>\n"
        for first in stride(from: 0, to: count, by: step) {
            let range = first..<min(count, first + step)
            let requests = arrivals.requests[range]
            let cells = [
                String(requests.reduce(0, +)), String(arrivals.refused[range].reduce(0, +)),
                ArrivalDrawing.rate(arrivals.perSecond(requests.max() ?? 0)),
            ]
            text += "<tr><td>\(arrivals.start(of: first))</td>"
            text += cells.map { "<td class=\"n\">\($0)</td>" }.joined() + "</tr>\n"
        }
        return text + "</tbody></table></div></details>\n"
    }
}
