import CaptureAnalysis
import PhoneModel
import Quantities
import Reporting
import Trace

/// The report of a capture as one self-contained page.
enum AnalyzePage {
    private static let most = 50

    static func html(_ report: CaptureReport, _ verdicts: [AnalyzeBudgets.Verdict]) -> String {
        let body = [
            head(report), budgets(verdicts), advice(report), states(report), hosts(report),
            bursts(report), periods(report), findings(report), radios(report),
        ]
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <title>\(escaped(report.path))</title>
            <style>\(style)</style></head><body><main>
            \(body.filter { !$0.isEmpty }.joined(separator: "\n"))
            </main></body></html>

            """
    }

    private static let style = """
        :root{color-scheme:light dark;--ground:#fbfaf8;--ink:#1b1d20;--soft:#565b62;--line:#dddad4;
        --active:#2667a8;--tail:#c48a1c;--promotion:#7b54b5;--idle:#7d848c;--bad:#a8201a}
        @media(prefers-color-scheme:dark){:root{--ground:#141619;--ink:#e8e9eb;--soft:#a9aeb6;
        --line:#343940;--active:#6aa8e6;--tail:#dba53a;--promotion:#b08fe6;--idle:#8f969e;
        --bad:#ff938a}}
        body{margin:0;background:var(--ground);color:var(--ink);
        font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        main{max-width:960px;margin:0 auto;padding:24px 16px 64px}
        h1{font-size:26px;line-height:1.2;margin:0;overflow-wrap:anywhere}h2{font-size:18px;margin:36px 0 6px}
        .soft{color:var(--soft)}.fail{color:var(--bad);font-weight:650}
        .wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
        th,td{padding:5px 10px 5px 0;border-bottom:1px solid var(--line);text-align:left;
        vertical-align:top}
        th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        :is(th,td):first-child:not(.n){min-width:10em;overflow-wrap:anywhere}
        td.path{padding-left:16px;color:var(--soft)}svg{display:block;width:100%;height:auto}
        @media(max-width:640px){table{font-size:13px}th,td{padding:5px 7px 5px 0}
        :is(th,td):first-child:not(.n){min-width:6em}}
        """

    private static func head(_ report: CaptureReport) -> String {
        let names = report.radios.map { "\($0.name) (\($0.year), grade \($0.grade.rawValue))" }
        var lines = [
            "<h1>\(escaped(report.path)): \(number(report.joules, 3)) J</h1>",
            "<p class=\"soft\">on \(escaped(names.joined(separator: " and "))), mode "
                + "\(report.mode.rawValue); \(report.packets) packets in "
                + "\(report.length.compactText), \(ByteCount(report.upBytes)) up, "
                + "\(ByteCount(report.downBytes)) down</p>",
            "<p>\(number(report.onJoules, 3)) J beyond idle, of it "
                + "\(number(report.tailJoules, 3)) J in tails "
                + "(\(number(report.tailShare, 1)) %); \(AnalyzeText.promotions(report)); "
                + "radio on for \(number(report.onSeconds, 1)) s.</p>",
            bar(report),
        ]
        if report.cutTailJoules > 0 {
            lines.append(
                "<p class=\"soft\">The capture ends within a tail: "
                    + "\(number(report.cutTailJoules, 3)) J more would follow.</p>"
            )
        }
        lines += report.notes.map { "<p class=\"soft\">Note: \(escaped($0)).</p>" }
        return lines.joined(separator: "\n")
    }

    /// Energy by kind as one bar; widths are shares of the whole.
    private static func bar(_ report: CaptureReport) -> String {
        guard report.joules > 0 else { return "" }
        var x = 0.0
        var parts: [String] = []
        var words: [String] = []
        for kind in [RadioInterval.Kind.promotion, .active, .tail, .idle] {
            let joules = report.joules(kind)
            let width = max(0, joules / report.joules * 1_000)
            parts.append(
                "<rect x=\"\(number(x, 1))\" y=\"0\" width=\"\(number(width, 1))\" height=\"28\" "
                    + "fill=\"var(--\(kind.rawValue))\"><title>\(kind.rawValue) "
                    + "\(number(joules, 3)) J</title></rect>"
            )
            words.append(
                "<span style=\"color:var(--\(kind.rawValue))\">&#9632;</span> \(kind.rawValue) "
                    + "\(number(joules, 3)) J"
            )
            x += width
        }
        return "<svg viewBox=\"0 0 1000 28\" role=\"img\" aria-label=\"energy by kind of state\">"
            + parts.joined() + "</svg><p>" + words.joined(separator: " &nbsp; ") + "</p>"
    }

    private static func states(_ report: CaptureReport) -> String {
        section(
            "Energy by state",
            ["state", "kind", "times", "s", "J"],
            report.states.map { state in
                [
                    report.radios.count > 1 ? "\(state.radio) \(state.state)" : state.state,
                    state.kind.rawValue, "\(state.count)", number(state.seconds, 3),
                    number(state.joules, 6),
                ]
            }
        )
    }

    private static func hosts(_ report: CaptureReport) -> String {
        var rows: [[String]] = []
        for host in report.hosts.prefix(most) {
            rows.append([
                host.host, "\(host.packets)", number(host.joules, 4), number(host.tailJoules, 4),
            ])
            for path in host.paths.prefix(10) {
                rows.append([
                    "\u{2514} " + path.path, "\(path.packets)", number(path.joules, 4),
                    number(path.tailJoules, 4),
                ])
            }
        }
        return section("Cost by host", ["host", "packets", "J", "of it in tails"], rows)
    }

    private static func bursts(_ report: CaptureReport) -> String {
        let costly = report.bursts.sorted { $0.burst.energy > $1.burst.energy }.prefix(most)
        return section(
            "The most expensive of \(report.bursts.count) bursts",
            ["host", "J", "category", "packets", "begins at s", "lasts s"],
            costly.map { cost in
                [
                    cost.host, number(cost.burst.energy.inJoules, 4),
                    cost.burst.category.rawValue, "\(cost.burst.packets)",
                    number(Double(cost.burst.start) / 1e9, 3),
                    number(Double(cost.burst.end - cost.burst.start) / 1e9, 3),
                ]
            }
        )
    }

    private static func periods(_ report: CaptureReport) -> String {
        section(
            "Periodic transfers",
            ["host", "every s", "times", "J"],
            report.periods.prefix(most).map { period in
                [
                    period.host, number(period.period.inSeconds, 1), "\(period.count)",
                    number(period.joules, 4),
                ]
            }
        )
    }

    private static func findings(_ report: CaptureReport) -> String {
        section(
            "Findings",
            ["rule", "verdict", "figures"],
            report.findings.map { [$0.rule, $0.verdict.rawValue, $0.message] }
        )
    }

    private static func advice(_ report: CaptureReport) -> String {
        section(
            "What would have saved most",
            ["change", "J saved"],
            report.advice.map { [$0.message, number($0.savedJoules, 3)] }
        )
    }

    private static func budgets(_ verdicts: [AnalyzeBudgets.Verdict]) -> String {
        section(
            "Budgets",
            ["budget", "value", "verdict"],
            verdicts.map { verdict in
                [
                    "\(verdict.metric) \(verdict.text)",
                    verdict.value.map { number($0, 4) } ?? "none", verdict.word,
                ]
            }
        )
    }

    /// Every figure of the radios with its source: what the joules above rest on.
    private static func radios(_ report: CaptureReport) -> String {
        report.radios.map { radio in
            section(
                "\(radio.title): where its figures come from",
                ["figure", "source"],
                radio.sources.map { [$0.field == "*" ? "every figure" : $0.field, $0.source] }
            )
        }.joined(separator: "\n")
    }

    private static func section(_ title: String, _ header: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        // Numbers stand on the right, one under the other; words on the left.
        let isNumber = header.indices.map { column in
            rows.allSatisfy { $0[column] == "none" || Double($0[column]) != nil }
        }
        let head = header.enumerated().map { column, name in
            "<th scope=\"col\"\(isNumber[column] ? " class=\"n\"" : "")>\(escaped(name))</th>"
        }.joined()
        let body = rows.map { row in
            "<tr>"
                + row.enumerated().map { column, cell in
                    let isBad = cell == "fail" || cell == "untested"
                    let name = isBad ? "fail" : isNumber[column] ? "n" : ""
                    return "<td\(name.isEmpty ? "" : " class=\"\(name)\"")>\(escaped(cell))</td>"
                }.joined() + "</tr>"
        }.joined(separator: "\n")
        return
            "<h2>\(escaped(title))</h2><div class=\"wide\" tabindex=\"0\"><table><thead><tr>\(head)</tr></thead>"
            + "<tbody>\n\(body)\n</tbody></table></div>"
    }

    private static func number(_ value: Double, _ places: Int) -> String {
        AnalyzeText.number(value, places)
    }

    private static func escaped(_ text: String) -> String { MarkupText.escaped(text) }
}
