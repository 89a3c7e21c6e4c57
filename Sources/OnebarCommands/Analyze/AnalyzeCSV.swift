import CaptureAnalysis
import Foundation
import Quantities
import Trace

/// Tables of a capture's report as CSV (RFC 4180), without a line end behind the last row.
enum AnalyzeCSV {
    static func states(_ ranges: [StateRange]) -> String {
        let rows = ranges.enumerated().map { index, range in
            [
                "\(index)", range.state, AnalyzeText.number(range.start, 6),
                AnalyzeText.number(range.end, 6), AnalyzeText.number(range.joules, 9),
            ]
        }
        return text(["idx", "state", "begin_s", "end_s", "energy_J"], rows)
    }

    static func totals(_ report: CaptureReport) -> String {
        text(
            ["radio", "state", "kind", "times", "seconds", "energy_J"],
            report.states.map { state in
                [
                    state.radio, state.state, state.kind.rawValue, "\(state.count)",
                    AnalyzeText.number(state.seconds, 6), AnalyzeText.number(state.joules, 9),
                ]
            }
        )
    }

    static func bursts(_ report: CaptureReport) -> String {
        let header = [
            "idx", "begin_s", "end_s", "packets", "payload_B", "category", "long_ibt", "active_s",
            "energy_J", "tail_J", "host",
        ]
        let rows = report.bursts.enumerated().map { index, cost in
            let burst = cost.burst
            return [
                "\(index)", AnalyzeText.number(Double(burst.start) / 1e9, 6),
                AnalyzeText.number(Double(burst.end) / 1e9, 6), "\(burst.packets)",
                "\(burst.payload)", burst.category.rawValue, "\(burst.isFollowedByLongGap)",
                AnalyzeText.number(burst.active.inSeconds, 6),
                AnalyzeText.number(burst.energy.inJoules, 9),
                AnalyzeText.number(burst.tailEnergy.inJoules, 9), cost.host,
            ]
        }
        return text(header, rows)
    }

    /// Bursts with a tool's own figures, in that tool's columns.
    static func toolBursts(_ bursts: [ToolBurst]) -> String {
        let header = [
            "idx", "begin_s", "end_s", "packets", "payload_B", "category", "long_ibt", "active_s",
            "energy_J",
        ]
        let rows = bursts.enumerated().map { index, tool in
            let burst = tool.burst
            return [
                "\(index)", AnalyzeText.number(Double(burst.start) / 1e9, 6),
                AnalyzeText.number(Double(burst.end) / 1e9, 6), "\(burst.packets)",
                "\(burst.payload)", burst.category.rawValue, "\(burst.isFollowedByLongGap)",
                AnalyzeText.number(tool.activeSeconds, 6), AnalyzeText.number(tool.joules, 9),
            ]
        }
        return text(header, rows)
    }

    static func hosts(_ report: CaptureReport) -> String {
        var rows: [[String]] = []
        for host in report.hosts {
            rows.append([
                host.host, "", "\(host.packets)", "\(host.upBytes)", "\(host.downBytes)",
                AnalyzeText.number(host.joules, 9), AnalyzeText.number(host.tailJoules, 9),
            ])
            for path in host.paths {
                rows.append([
                    host.host, path.path, "\(path.packets)", "", "",
                    AnalyzeText.number(path.joules, 9), AnalyzeText.number(path.tailJoules, 9),
                ])
            }
        }
        return text(
            ["host", "path", "packets", "up_B", "down_B", "energy_J", "tail_J"],
            rows
        )
    }

    private static func text(_ header: [String], _ rows: [[String]]) -> String {
        ([header] + rows).map { $0.map(quoted).joined(separator: ",") }.joined(separator: "\n")
    }

    private static func quoted(_ field: String) -> String {
        guard field.contains(where: { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }) else {
            return field
        }
        return "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
