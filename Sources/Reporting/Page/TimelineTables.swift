import Measurements
import Quantities

/// The data of a timeline as tables, for those who do not see the drawing.
struct TimelineTables {
    private static let rowLimit = 160
    let timeline: Timeline

    var text: String {
        var text = ""
        text += spans("Network path", timeline.path)
        for radio in timeline.radios { text += spans("Radio \(radio.name)", radio.spans) }
        text += spans("App", timeline.app)
        text += table(
            "Launches and kills",
            ["when", "what"],
            timeline.marks.map { [$0.instant.description, $0.label] }
        )
        text += spans("Faults", timeline.faults)
        text += table(
            "Outbox depth",
            ["from", "open actions"],
            timeline.outboxDepth.map { [$0.instant.description, String($0.value)] }
        )
        for upload in timeline.uploads {
            text += table(
                "Upload \(upload.name), \(ByteCount(upload.size))",
                ["from", "shown"],
                upload.points.map { [$0.instant.description, ByteCount($0.value).description] }
            )
        }
        text += table(
            "Memory",
            ["from", "charged"],
            timeline.memory.map { [$0.instant.description, ByteCount($0.value).description] }
        )
        return text.isEmpty
            ? "" : "<details><summary>The same as tables</summary>\n\(text)</details>\n"
    }

    private func spans(_ title: String, _ spans: [TimelineSpan]) -> String {
        table(
            title,
            ["from", "for", "what"],
            spans.map {
                [
                    $0.start.description, $0.length.compactText,
                    $0.label.isEmpty ? $0.kind : "\($0.kind), \($0.label)",
                ]
            }
        )
    }

    private func table(_ title: String, _ columns: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        var text =
            "<h3>\(MarkupText.escaped(title))</h3>\n<div class=\"scroll\" tabindex=\"0\"><table>"
        text += "<thead><tr>" + columns.map { "<th>\($0)</th>" }.joined() + "</tr></thead><tbody>\n"
        for row in rows.prefix(Self.rowLimit) {
            text += "<tr>" + row.map { "<td>\(MarkupText.escaped($0))</td>" }.joined() + "</tr>\n"
        }
        text += "</tbody></table></div>\n"
        if rows.count > Self.rowLimit {
            text += "<p class=\"soft\">\(rows.count - Self.rowLimit) more rows are in "
            text += "<code>timeline.csv</code>.</p>\n"
        }
        return text
    }
}
