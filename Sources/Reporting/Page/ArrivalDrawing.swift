import Foundation
import Measurements
import Quantities

/// Requests a second against time, on a logarithmic scale: a herd and the quiet after it both show.
///
/// The drawing is 2,000 by 300 units and stretches with the page; what is read stands beside it in
/// HTML, as in the timeline.
struct ArrivalDrawing {
    private static let height = 300.0
    let seed: UInt64
    let timeline: Timeline
    let arrivals: TimelineArrivals

    /// What the drawing shows, in a few sentences.
    var summary: String {
        let rates = arrivals.requests.map { arrivals.perSecond($0) }
        let peak = rates.max() ?? 0
        let at = rates.firstIndex(of: peak) ?? 0
        let most = arrivals.isBySecond ? "at most" : "on average over each at most"
        var text =
            "Seed \(seed): \(Self.count(arrivals.requests)) requests, counted by \(arrivals.windowText), "
        text += "\(most) \(Self.rate(peak)) a second, at \(arrivals.start(of: at).description)."
        if arrivals.refused.contains(where: { $0 > 0 }) {
            text += " \(Self.count(arrivals.refused)) were refused."
        }
        if let healed = lastHealed {
            // The herd comes at once: the window in which the fault heals holds it.
            let first = arrivals.window(of: healed)
            let start = arrivals.start(of: first)
            text += " After the last fault had healed at \(healed)"
            text += start < healed ? " (counted from \(start))" : ""
            text += " \(most) \(Self.rate(rates.dropFirst(first).max() ?? 0)) came in a second."
        }
        if let capacity = arrivals.capacity {
            let over = rates.count { $0 > Double(capacity) }
            let share = Duration.nanoseconds(Int64(over) * arrivals.windowNanoseconds).compactText
            text += " The server can serve \(Self.rate(Double(capacity))) a second; "
            let mean = arrivals.isBySecond ? "" : " on average"
            text += over == 0 ? "never did more come\(mean)." : "more came\(mean) for \(share)."
        }
        return text
    }

    var text: String {
        var shapes = ""
        for decade in decades {
            shapes += "<path class=\"grid\" d=\"M0 \(y(decade))H2000\"/>"
        }
        shapes += area("f-area", arrivals.requests)
        if arrivals.refused.contains(where: { $0 > 0 }) {
            shapes += area("f-refused", arrivals.refused)
        }
        if let capacity = arrivals.capacity {
            shapes += "<path class=\"capacity\" d=\"M0 \(y(Double(capacity)))H2000\"/>"
        }
        var text = "<div class=\"row\"><div class=\"lab\"><b>requests a second</b> "
        text += arrivals.isBySecond ? "logarithmic" : "logarithmic, means of \(arrivals.windowText)"
        text += "</div><div class=\"plot high\">" + faults
        text += "<svg viewBox=\"0 0 2000 300\" preserveAspectRatio=\"none\" role=\"img\">"
        text += "<title>\(MarkupText.escaped(summary))</title>\(shapes)</svg>" + labels
        text += "</div></div>\n"
        return text + axis.text
    }

    // MARK: Parts

    /// The end of the last fault that lasted for a time.
    private var lastHealed: SimulationInstant? {
        timeline.faults.filter { $0.end > $0.start }.map(\.end).max()
    }

    /// Where each line of the scale stands: 1, 10, 100 and so on, below the top.
    private var decades: [Double] {
        var all: [Double] = [1]
        while let last = all.last, last * 10 < top { all.append(last * 10) }
        return all
    }

    private var top: Double {
        let peak = arrivals.requests.map { arrivals.perSecond($0) }.max() ?? 1
        return max(10, max(peak, Double(arrivals.capacity ?? 0)) * 1.4)
    }

    /// Below one request in two seconds is the ground.
    private static let ground = 0.5

    private func y(_ rate: Double) -> Int {
        guard rate > Self.ground else { return Int(Self.height) }
        let share = log10(rate / Self.ground) / log10(top / Self.ground)
        return Int((Self.height * (1 - min(1, share))).rounded())
    }

    private func x(_ instant: SimulationInstant) -> Int {
        let end = Double(max(1, timeline.end.nanoseconds))
        return Int((Double(min(instant, timeline.end).nanoseconds) / end * 2_000).rounded())
    }

    private func area(_ name: String, _ counts: [Int]) -> String {
        var path = "M0 300"
        var level = Int(Self.height)
        for (index, count) in counts.enumerated() {
            let next = y(arrivals.perSecond(count))
            guard next != level else { continue }
            level = next
            path += "H\(x(arrivals.start(of: index)))V\(level)"
        }
        path += "H\(x(arrivals.start(of: counts.count)))V300Z"
        return "<path class=\"\(name)\" d=\"\(path)\"/>"
    }

    private var faults: String {
        timeline.faults.filter { $0.end > $0.start }.prefix(40).map { span in
            let left = share(span.start)
            let width = max(0.2, share(span.end) - left)
            return "<div class=\"outage\" style=\"left:\(percent(left));width:\(percent(width))\" "
                + "title=\"\(MarkupText.escaped("\(span.start) to \(span.end): \(span.label)"))\"></div>"
        }
        .joined()
    }

    private var labels: String {
        var text = decades.map { decade in
            "<span class=\"y\" style=\"top:\(percent(Double(y(decade)) / 3))\">"
                + "\(Self.rate(decade))</span>"
        }
        .joined()
        if let capacity = arrivals.capacity {
            text +=
                "<span class=\"y cap\" style=\"top:\(percent(Double(y(Double(capacity))) / 3))\">"
            text += "serves \(Self.rate(Double(capacity)))</span>"
        }
        return text
    }

    private var axis: TimelineAxis { TimelineAxis(end: timeline.end) }

    private func share(_ instant: SimulationInstant) -> Double { axis.share(instant) }

    private func percent(_ value: Double) -> String { BudgetSection.percent(value) }

    private static func count(_ counts: [Int]) -> String { rate(Double(counts.reduce(0, +))) }

    /// "1,250", or "0.5" below one.
    static func rate(_ value: Double) -> String {
        if value > 0, value < 1 { return MetricUnit.decimal(value, places: 1) }
        var digits = String(Int(value.rounded()))
        var text = ""
        while digits.count > 3 {
            text = "," + digits.suffix(3) + text
            digits.removeLast(3)
        }
        return digits + text
    }
}
