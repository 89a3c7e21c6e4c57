import Measurements
import Quantities

/// One seed's timeline: rows of labels and drawings that stretch with the page.
///
/// Drawings are 2,000 units wide whatever the run's length; text stands beside them in HTML, so that
/// it keeps its size on a phone. Three radio buttons zoom, without a script.
struct TimelineDrawing {
    let seed: UInt64
    let timeline: Timeline
    /// Whether tables of the same data follow; for the first seed only, to keep the page small.
    let hasTables: Bool

    private var end: Double { Double(max(1, timeline.end.nanoseconds)) }
    private var axis: TimelineAxis { TimelineAxis(end: timeline.end) }

    var text: String {
        var text = ""
        for (index, zoom) in [(1, "whole run"), (4, "4 times"), (16, "16 times")].enumerated() {
            let id = "z\(seed)-\(zoom.0)"
            text += "<input type=\"radio\" class=\"zoom z\(zoom.0)\" name=\"z\(seed)\" id=\"\(id)\""
            text += index == 0 ? " checked=\"checked\" />" : " />"
            text += "<label for=\"\(id)\">\(zoom.1)</label>"
        }
        text += "\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
        text += "aria-label=\"Timeline of seed \(seed), scrolls sideways when zoomed\">"
        text += "<div class=\"inner\">\n" + axis.text + path + radios + app + faults + lines
        text += "</div></div>\n"
        if hasTables { text += TimelineTables(timeline: timeline).text }
        return text
    }

    // The frame.

    private func row(_ name: String, _ detail: String, _ plot: String, size: String = "") -> String
    {
        var text =
            "<div class=\"row\"><div class=\"lab\"><b>\(escaped(name))</b> \(escaped(detail))</div>"
        text += "<div class=\"plot\(size.isEmpty ? "" : " \(size)")\">"
        if let settle = timeline.settleBegan, settle < timeline.end {
            let left = share(settle)
            text += "<div class=\"settle\" style=\"left:\(percent(left));"
            text += "width:\(percent(100 - left))\"></div>"
        }
        return text + plot + "</div></div>\n"
    }

    private func drawing(_ title: String, _ shapes: String) -> String {
        "<svg viewBox=\"0 0 2000 100\" preserveAspectRatio=\"none\" role=\"img\"><title>"
            + "\(escaped(title))</title>\(shapes)</svg>"
    }

    // Rows of spans.

    private var path: String {
        guard !timeline.path.isEmpty else { return "" }
        var shapes = ""
        for kind in ["up", "down", "blackhole", "captive"] {
            let spans = timeline.path.filter { $0.kind == kind }
            guard !spans.isEmpty else { continue }
            shapes += shape("f-\(kind)", spans) {
                kind == "up" ? Self.height(ofRate: $0.value) : 100
            }
        }
        var named: [(phase: String, start: Double)] = []
        var last = ""
        for span in timeline.path {
            let phase = String(span.label.prefix { $0 != ":" })
            let width = share(span.end) - share(span.start)
            guard phase != last, width > 3 else { continue }
            last = phase
            named.append((phase, share(span.start)))
        }
        // A name ends where the next begins: on a phone they would run into each other.
        let ends = named.dropFirst().map(\.start) + [100]
        let names = zip(named, ends).map { name, end in
            "<span class=\"name\" style=\"left:\(percent(name.start));"
                + "max-width:\(percent(end - name.start))\">\(escaped(name.phase))</span>"
        }.joined()
        let outages = timeline.path.filter { $0.kind != "up" }
        let noun = outages.count == 1 ? "1 outage" : "\(outages.count) outages"
        let title = "Network path: \(Self.totals(timeline.path)); \(noun)"
        return row("network", "rate, outages", drawing(title, shapes) + names, size: "tall")
    }

    private var radios: String {
        timeline.radios.map { radio in
            var shapes = ""
            for (kind, height) in [("idle", 6), ("tail", 50), ("promotion", 75), ("active", 100)] {
                let spans = radio.spans.filter { $0.kind == kind }
                if !spans.isEmpty { shapes += shape("f-\(kind)", spans) { _ in height } }
            }
            let title = "Radio \(radio.name): \(Self.totals(radio.spans))"
            return row("radio", radio.name, drawing(title, shapes))
        }
        .joined()
    }

    private var app: String {
        guard !timeline.app.isEmpty || !timeline.marks.isEmpty else { return "" }
        var shapes = ""
        for (kind, height) in [("foreground", 100), ("background", 55), ("suspended", 25)] {
            let spans = timeline.app.filter { $0.kind == kind }
            if !spans.isEmpty { shapes += shape("f-\(kind)", spans) { _ in height } }
        }
        var marks = ""
        for mark in timeline.marks.prefix(120) {
            let isLaunch = mark.kind == "launch"
            marks += "<div class=\"at\(isLaunch ? " launch" : "")\" "
            marks += "style=\"left:\(percent(share(mark.instant)))\" "
            marks += "title=\"\(escaped("\(mark.instant): \(mark.label)"))\">"
            marks += isLaunch ? "</div>" : "<span aria-hidden=\"true\">\u{2715}</span></div>"
        }
        let kills = timeline.marks.count { $0.kind != "launch" }
        let title = "App: \(Self.totals(timeline.app)); ended \(kills) times"
        return row("app", "state, kills", drawing(title, shapes) + marks)
    }

    private var faults: String {
        guard !timeline.faults.isEmpty else { return "" }
        let lanes = Set(timeline.faults.map(\.value)).sorted()
        let height = 100 / Double(lanes.count)
        var marks = ""
        for span in timeline.faults.prefix(120) {
            let left = min(99.7, share(span.start))
            let lane = Double(lanes.firstIndex(of: span.value) ?? 0)
            marks += "<div class=\"f-fault lane\" style=\"left:\(percent(left));"
            marks += "width:\(percent(min(100, share(span.end)) - left));"
            marks += "top:\(percent(lane * height));height:\(percent(height * 0.8))\" "
            marks += "title=\"\(escaped("\(span.start) to \(span.end): \(span.label)"))\"></div>"
        }
        let listed = timeline.faults.prefix(8).map { "\($0.start) \($0.label)" }
        let title = "Faults: \(listed.joined(separator: "; "))"
        let size = lanes.count > 3 ? "tall" : ""
        return row("faults", "a lane each", drawing(title, "") + marks, size: size)
    }

    // Rows of lines.

    private var lines: String {
        var text = ""
        if !timeline.outboxDepth.isEmpty {
            let top = timeline.outboxDepth.map(\.value).max() ?? 0
            text += line(
                "outbox",
                "up to \(top) open",
                timeline.outboxDepth,
                top: top,
                title: "Promised actions that had not settled: at most \(top)",
                size: "tall"
            )
        }
        for upload in timeline.uploads.prefix(8) {
            let last = upload.points.map(\.value).max() ?? 0
            let size = ByteCount(upload.size)
            text += line(
                "upload",
                upload.name,
                upload.points,
                top: upload.size,
                title: "Upload \(upload.name): shown up to \(ByteCount(last)) of \(size)",
                size: "thin",
                endsAtLast: last >= upload.size
            )
        }
        if !timeline.memory.isEmpty {
            let top = timeline.memory.map(\.value).max() ?? 0
            text += line(
                "memory",
                "peak \(ByteCount(top))",
                timeline.memory,
                top: top,
                title: "Memory charged to the app: at most \(ByteCount(top))"
            )
        }
        return text
    }

    private func line(
        _ name: String,
        _ detail: String,
        _ points: [TimelinePoint],
        top: Int64,
        title: String,
        size: String = "",
        endsAtLast: Bool = false
    ) -> String {
        guard let first = points.first else {
            return row(name, detail, drawing(title, ""), size: size)
        }
        let scale = Double(max(1, top))
        func y(_ value: Int64) -> Int { 100 - Int((Double(value) / scale * 94).rounded()) }
        var path = "M\(x(first.instant)) 100"
        var height = 100
        for point in points {
            path += "H\(x(point.instant))"
            if y(point.value) != height {
                height = y(point.value)
                path += "V\(height)"
            }
        }
        path += endsAtLast ? "h4V100Z" : "H2000V100Z"
        return row(
            name,
            detail,
            drawing(title, "<path class=\"f-area\" d=\"\(path)\"/>"),
            size: size
        )
    }

    // Geometry.

    /// One path of rectangles that stand on the ground line.
    private func shape(
        _ name: String,
        _ spans: [TimelineSpan],
        height: (TimelineSpan) -> Int
    ) -> String {
        var path = ""
        for span in spans {
            let start = x(span.start)
            let width = max(1, x(span.end) - start)
            let height = height(span)
            path += "M\(start) 100v-\(height)h\(width)v\(height)z"
        }
        return "<path class=\"\(name)\" d=\"\(path)\"/>"
    }

    /// From 10 kbps at the ground to 100 Mbps at the top, by the logarithm.
    private static func height(ofRate rate: Int64) -> Int {
        guard rate > 0 else { return 4 }
        var decades = 0.0
        var rest = Double(rate) / 10_000
        while rest >= 10, decades < 4 {
            rest /= 10
            decades += 1
        }
        // Within a decade by a chord: close enough for a picture, and the same on every platform.
        let position = decades + max(0, min(1, (rest - 1) / 9))
        return max(8, min(100, Int((position / 4 * 100).rounded())))
    }

    private func x(_ instant: SimulationInstant) -> Int {
        Int((Double(instant.nanoseconds) / end * 2_000).rounded())
    }

    private func share(_ instant: SimulationInstant) -> Double { axis.share(instant) }

    private func percent(_ value: Double) -> String { BudgetSection.percent(value) }

    private func escaped(_ text: String) -> String { MarkupText.escaped(text) }

    /// Time in each kind of span, longest first.
    static func totals(_ spans: [TimelineSpan]) -> String {
        var kinds: [String] = []
        var lengths: [String: Int64] = [:]
        for span in spans {
            if lengths[span.kind] == nil { kinds.append(span.kind) }
            lengths[span.kind, default: 0] += span.length.wholeNanoseconds
        }
        return
            kinds
            .sorted { (lengths[$0] ?? 0, $1) > (lengths[$1] ?? 0, $0) }
            .map { "\($0) \(MetricUnit.seconds.text(for: Double(lengths[$0] ?? 0) / 1e9))" }
            .joined(separator: ", ")
    }
}
