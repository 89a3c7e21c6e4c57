import Foundation
import NetworkModel

/// Draws measured against simulated times, both on a logarithmic scale from 0.1 s to 100 s.
struct FidelityChart {
    private let comparisons: [Fidelity.Comparison]
    private let side = 460.0
    private let margin = 60.0
    private let gap = 90.0

    init(_ comparisons: [Fidelity.Comparison]) {
        self.comparisons = comparisons
    }

    /// The whole picture.
    var svg: String {
        let width = Int(2 * side + 2 * margin + gap)
        let height = Int(side + 2 * margin + 30)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            font-family="system-ui, sans-serif" font-size="13">
            <style>
            .page { fill: #fff } .ink { fill: #222 } .frame { fill: none; stroke: #999 }
            .grid { stroke: #ddd } .same { stroke: #555 } .band { fill: #4a90d9; opacity: .12 }
            .none { fill: #2a9d4a } .bern { fill: #d97a1e } .ge { fill: #8a4fbf }
            circle { opacity: .75 }
            @media (prefers-color-scheme: dark) {
            .page { fill: #161616 } .ink { fill: #ddd } .grid { stroke: #333 } .same { stroke: #aaa }
            }
            </style>
            <rect class="page" width="\(width)" height="\(height)"/>
            \(panel("Median", left: margin, linux: \.point.median, simulated: \.median))
            \(panel("90th percentile", left: margin + side + gap, linux: \.point.tail,
                simulated: \.tail))
            \(legend(top: side + margin + 62))
            </svg>

            """
    }

    private func panel(
        _ title: String,
        left: Double,
        linux: KeyPath<Fidelity.Comparison, Double>,
        simulated: KeyPath<Fidelity.Comparison, Double>
    ) -> String {
        var parts = [
            "<text class=\"ink\" x=\"\(left)\" y=\"28\" font-weight=\"600\">"
                + "\(title) of completion times, seconds</text>",
            "<rect class=\"frame\" x=\"\(left)\" y=\"\(margin)\" width=\"\(side)\""
                + " height=\"\(side)\"/>",
        ]
        for tick in [0.1, 1, 10, 100] {
            let along = offset(tick)
            let x = left + along
            let y = margin + side - along
            parts.append(
                "<path class=\"grid\" d=\"M\(x) \(margin)v\(side)M\(left) \(y)h\(side)\"/>"
                    + "<text class=\"ink\" x=\"\(x)\" y=\"\(margin + side + 18)\""
                    + " text-anchor=\"middle\">\(label(tick))</text>"
                    + "<text class=\"ink\" x=\"\(left - 6)\" y=\"\(y + 4)\""
                    + " text-anchor=\"end\">\(label(tick))</text>"
            )
        }
        // Within 15 %: a strip of log10(1.15) either way.
        let strip = log10(1.15) / 3 * side
        let bottom = margin + side
        parts.append(
            "<path class=\"band\" d=\"M\(left) \(bottom)v\(-strip)L\(left + side - strip) \(margin)"
                + "h\(strip)v\(strip)L\(left + strip) \(bottom)z\"/>"
                + "<path class=\"same\" d=\"M\(left) \(bottom)L\(left + side) \(margin)\"/>"
        )
        for each in comparisons where each[keyPath: simulated].isFinite {
            let x = left + offset(each[keyPath: linux])
            let y = margin + side - offset(each[keyPath: simulated])
            let kind = each.point.loss.prefix { $0 != " " }
            parts.append(
                "<circle class=\"\(kind)\" cx=\"\(fixed(x))\" cy=\"\(fixed(y))\" r=\"3.5\">"
                    + "<title>\(each.point.label)</title></circle>"
            )
        }
        parts.append(
            "<text class=\"ink\" x=\"\(left + side / 2)\" y=\"\(margin + side + 38)\""
                + " text-anchor=\"middle\">Linux 6.18 (across), simulated (up)</text>"
        )
        return parts.joined(separator: "\n")
    }

    private func legend(top: Double) -> String {
        let entries = [("none", "no loss"), ("bern", "Bernoulli"), ("ge", "Gilbert-Elliott")]
        return entries.enumerated().map { index, entry in
            let x = margin + Double(index) * 140
            return "<circle class=\"\(entry.0)\" cx=\"\(x)\" cy=\"\(top - 4)\" r=\"5\"/>"
                + "<text class=\"ink\" x=\"\(x + 10)\" y=\"\(top)\">\(entry.1)</text>"
        }.joined(separator: "\n")
            + "<text class=\"ink\" x=\"\(margin + 440)\" y=\"\(top)\">shaded: within 15 %</text>"
    }

    private func offset(_ seconds: Double) -> Double {
        min(max((log10(seconds) + 1) / 3, 0), 1) * side
    }

    private func label(_ seconds: Double) -> String {
        seconds < 1 ? "0.1" : String(Int(seconds))
    }

    private func fixed(_ value: Double) -> String {
        String(format: "%.1f", value)
    }
}
