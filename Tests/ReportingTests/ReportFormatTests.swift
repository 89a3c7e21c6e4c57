import Budgets
import Foundation
import Measurements
import Quantities
import Reporting
import Testing

/// JSON, CSV, JUnit, Markdown and terminal text.
@Suite struct ReportFormatTests {
    @Test func `the JSON line has the documented members in order, on one line`() throws {
        let run = try SampleCommute.run(count: 3, isBroken: true)
        let line = RunJSON.line(of: run)
        #expect(!line.contains("\n"))
        let names = [
            "format", "profile", "mode", "seeds", "metrics", "budgets", "broken", "fingerprint",
            "verdict", "reasons",
        ]
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        )
        #expect(Set(object.keys) == Set(names))
        var places: [String.Index] = []
        for name in names {
            places.append(
                try #require(
                    line.range(of: "\"\(name)\":", options: name == "verdict" ? .backwards : [])?
                        .lowerBound
                )
            )
        }
        #expect(places == places.sorted())
        #expect(object["format"] as? String == "onebar.run/1")
        #expect(object["seeds"] as? [Int] == [1, 2, 3])
        #expect(object["verdict"] as? String == "fail")
        let metrics = try #require(object["metrics"] as? [String: [String: Any]])
        let energy = try #require(metrics["radio.energy_j"])
        #expect(
            Set(energy.keys) == ["unit", "n", "min", "mean", "p50", "p90", "p95", "p99", "max"]
        )
        #expect(energy["n"] as? Int == 3)
        let budgets = try #require(object["budgets"] as? [[String: Any]])
        #expect(
            Set(budgets[0].keys) == ["metric", "statistic", "limit", "value", "level", "verdict"]
        )
        let broken = try #require(object["broken"] as? [[String: Any]])
        #expect(
            Set(broken[0].keys) == ["guarantee", "seed", "at_ns", "at", "message", "replay"]
        )
        #expect(broken[0]["replay"] as? String == "onebar run commute --seeds 2")
    }

    @Test func `a pack's line that no seed touched is in every report, as not judged`() throws {
        let rules = [
            try BudgetRule(metric: "radio.energy_j", text: "p95 <= 9000J", pack: "green"),
            try BudgetRule(metric: "frames.hitch_ms_per_s", text: "max <= 5ms/s", pack: "green"),
        ]
        let run = ProfileRun(
            profile: "commute",
            mode: "captured",
            radios: [],
            seeds: [SampleCommute(seed: 1).result],
            rules: rules
        )
        #expect(run.verdict.outcome == .pass)
        #expect(
            SummaryMarkdown.text(of: run).contains(
                "| `frames.hitch_ms_per_s` max | none | &lt;= 5ms/s | not judged |"
            )
        )
        let junit = JUnitXML.text(of: [run])
        #expect(
            junit.contains(
                "name=\"frames.hitch_ms_per_s: max &lt;= 5ms/s\">\n"
                    + "      <skipped message=\"no seed touched this metric\"/>"
            )
        )
        let json = RunJSON.line(of: run)
        #expect(json.contains("\"value\":null,\"level\":\"fail\",\"verdict\":\"not-judged\""))
        let terminal = RunSummaryText(run, isColored: false).text
        #expect(terminal.contains("  idle frames.hitch_ms_per_s max"))
        let page = ReportPage.text(of: run)
        #expect(page.contains("<span class=\"badge b-not-judged\">not judged</span>"))
        #expect(page.contains("every guarantee was kept, and the budget."))
    }

    // Thirteen lines, of which the summary shows twelve; of the pack only the first was touched.
    @Test func `lines that the summary leaves out and nobody judged are counted`() throws {
        let own = (0..<11).map { ("own.metric\($0)", "max <= 1") }
        func text(_ pack: [(String, String)]) throws -> String {
            let rules =
                try own.map { try BudgetRule(metric: $0.0, text: $0.1) }
                + pack.map { try BudgetRule(metric: $0.0, text: $0.1, pack: "green") }
            let run = ProfileRun(
                profile: "commute",
                mode: "captured",
                radios: [],
                seeds: [SampleCommute(seed: 1).result],
                rules: rules
            )
            return SummaryMarkdown.text(of: run)
        }
        let touched = ("radio.energy_j", "p95 <= 9000J")
        let idle = ("frames.hitch_ms_per_s", "max <= 5ms/s")
        #expect(
            try text([touched, idle]).contains("\nand 1 more in the report, 1 of them not judged\n")
        )
        #expect(try text([touched, touched]).contains("\nand 1 more in the report\n"))
    }

    @Test func `figures of a difference stand in columns, however long a duration is`() throws {
        func run(_ seconds: Double) -> ProfileRun {
            let seeds = (1...3).map { (seed: UInt64) in
                SeedResult(
                    seed: seed,
                    mode: "captured",
                    metrics: [
                        MetricReading(MetricName("radio.on_s"), seconds + Double(seed)),
                        MetricReading(MetricName("radio.promotions"), Double(seed)),
                    ],
                    fingerprint: "0",
                    virtualEnd: .zero + .seconds(900)
                )
            }
            return ProfileRun(
                profile: "commute",
                mode: "captured",
                radios: [],
                seeds: seeds,
                rules: []
            )
        }
        let text = RunDiff(before: run(612.3), after: run(622.3)).text(
            isColored: false,
            showsAll: true
        )
        // 612.3 s and 2 are 10 min 14.3 s.
        #expect(text.contains(" 10 min 14.3 s 10 min 24.3 s "), "\(text)")
        let rows = text.split(separator: "\n").filter { $0.contains("radio.") }
        #expect(rows.map(\.count) == [80, 80], "\(text)")
    }

    @Test func `the file says the same as the line`() throws {
        let run = try SampleCommute.run(count: 2)
        let line = try JSONSerialization.jsonObject(with: Data(RunJSON.line(of: run).utf8))
        let file = try JSONSerialization.jsonObject(with: Data(RunJSON.file(of: run).utf8))
        #expect((line as? NSDictionary) == (file as? NSDictionary))
    }

    @Test func `JSON text is escaped, and numbers read back the same`() {
        #expect(JSONText.quoted("a\"b\\c\n\u{1}\u{e9}") == "\"a\\\"b\\\\c\\n\\u0001\u{e9}\"")
        #expect(JSONText.quoted("a\tb\rc\u{7f}d\u{80}") == "\"a\\tb\\rc\\u007fd\u{80}\"")
        let numbers: [(Double, String)] = [
            (0, "0"), (-3, "-3"), (0.1, "0.1"), (1_234_567.5, "1234567.5"), (1e20, "1e+20"),
            (1e-7, "1e-07"),
        ]
        for (value, text) in numbers {
            #expect(JSONValue.text(of: value) == text)
            #expect(Double(JSONValue.text(of: value)) == value)
        }
        #expect(JSONValue.object([]).prettyText == "{}")
        #expect(
            JSONValue.object([JSONMember("a", .array([.integer(1), .null]))]).prettyText
                == "{\n  \"a\": [1,null]\n}"
        )
    }

    @Test func `metrics are one row a value, samples several`() throws {
        let run = try SampleCommute.run(count: 2)
        let rows = RunCSV.metrics(of: run).split(separator: "\n")
        #expect(rows[0] == "profile,seed,metric,unit,value")
        #expect(rows.contains("commute,2,upload.sessions,1,4"))
        #expect(rows.filter { $0.hasPrefix("commute,1,upload.duration_s,s,") }.count == 4)
        #expect(rows.dropFirst().allSatisfy { $0.split(separator: ",").count == 5 })
    }

    @Test func `budgets are one row a line, with commas and quotes kept`() throws {
        let run = try SampleCommute.run(
            count: 2,
            profile: "a,\"b\"",
            rules: [("network.up_bytes", "max <= 52MB")]
        )
        let rows = RunCSV.budgets(of: run).split(separator: "\n")
        #expect(rows.count == 2)
        #expect(rows[1].hasPrefix("\"a,\"\"b\"\"\",network.up_bytes,max,<=,52000000,"))
    }

    @Test func `the timeline of a seed without one is its head alone`() throws {
        let run = try SampleCommute.run(count: 1)
        #expect(RunCSV.timeline(of: nil).split(separator: "\n").count == 1)
        let rows = RunCSV.timeline(of: run.worstSeed).split(separator: "\n")
        #expect(rows.contains { $0.hasPrefix("1,path,,480000000000,540000000000,up,800000,") })
        for track in ["radio", "app", "mark", "fault", "outbox", "upload", "memory"] {
            #expect(rows.contains { $0.hasPrefix("1,\(track),") }, "\(track)")
        }
    }

    @Test func `JUnit has a case for each budget, guarantee and fault`() throws {
        let run = try SampleCommute.run(count: 3, isBroken: true)
        let check = MarkupCheck(JUnitXML.text(of: [run]))
        #expect(check.problem == nil)
        let cases = check.elements.filter { $0.name == "testcase" }
        // 10 budgets, 8 guarantees, 4 faults, and that it ran.
        #expect(cases.count == 23)
        let suite = try #require(check.elements.first { $0.name == "testsuite" })
        let failures = check.elements.filter { $0.name == "failure" }
        #expect(suite.attributes["tests"] == "23")
        #expect(suite.attributes["failures"] == "\(failures.count)")
        #expect(
            failures.contains { $0.attributes["message"]?.contains("took effect twice") == true }
        )
        // The elements and attributes that junit-10.xsd knows.
        let allowed: [String: Set<String>] = [
            "testsuites": ["name", "tests", "failures", "errors"],
            "testsuite": ["name", "tests", "failures", "errors", "skipped"],
            "properties": [], "property": ["name", "value"], "testcase": ["classname", "name"],
            "failure": ["type", "message"], "error": ["type", "message"],
            "skipped": ["message"],
        ]
        for element in check.elements {
            let attributes = try #require(allowed[element.name], "\(element.name)")
            #expect(attributes.isSuperset(of: element.attributes.keys), "\(element)")
        }
        // Those that it requires.
        let required: [String: Set<String>] = [
            "testsuite": ["name", "tests", "failures", "errors"], "property": ["name", "value"],
            "testcase": ["name"],
        ]
        for element in check.elements {
            let attributes = required[element.name] ?? []
            #expect(attributes.isSubset(of: element.attributes.keys), "\(element)")
        }
    }

    @Test func `the summary has fewer than 40 lines however much broke`() throws {
        let many = (0..<60).map { ("own.metric\($0)", "max <= 1") }
        let run = try SampleCommute.run(count: 10, isBroken: true, rules: many)
        let text = SummaryMarkdown.text(of: run)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 40)
        #expect(text.hasPrefix("<!-- onebar:commute -->\n### commute: **fail**"))
        #expect(text.contains("`outbox.exactly_once` in 2 of 10 seeds"))
        #expect(text.contains("Replay: `onebar run commute --seeds 2`"))
    }

    @Test func `the terminal's text fits 80 columns and says joules with year and grade`() throws {
        let run = try SampleCommute.run(count: 20, isBroken: true)
        let text = RunSummaryText(run, isColored: false).text
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(!text.contains("\u{1B}"))
        #expect(text.hasPrefix("commute  FAIL  20 seeds (1..20), captured mode\n"))
        #expect(text.contains("lte-2012-aro (2012, grade A)"))
        #expect(text.contains("    replay: onebar run commute --seeds 2\n"))
        #expect(text.contains("FAIL radio.tail_energy_j p95"))
    }

    @Test func `colour adds escapes and changes no word`() throws {
        let run = try SampleCommute.run(count: 3, isBroken: true)
        let plain = RunSummaryText(run, isColored: false).text
        let colored = RunSummaryText(run, isColored: true).text
        #expect(colored != plain)
        #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    }

    @Test func `annotations name each guarantee and budget on one line`() throws {
        let run = try SampleCommute.run(count: 3, isBroken: true)
        let lines = GitHubAnnotations.text(of: run).split(separator: "\n")
        #expect(lines[0].hasPrefix("::error title=commute%3A outbox.exactly_once::seed 2, 7 min"))
        #expect(lines[0].hasSuffix("%0Areplay: onebar run commute --seeds 2"))
        #expect(
            lines.contains {
                $0.hasPrefix(
                    "::error title=commute%3A radio.promotions p95 <= 90::radio.promotions"
                )
            }
        )
        let quiet = try SampleCommute.run(count: 1, rules: [("network.up_bytes", "max <= 60MB")])
        #expect(GitHubAnnotations.text(of: quiet).isEmpty)
    }

    @Test func `seeds are written as ranges`() {
        #expect(SeedListText.text([3, 1, 2, 9, 7, 8, 20]) == "1..3, 7..9, 20")
        #expect(SeedListText.text([]) == "none")
        #expect(SeedListText.counted([7]) == "seed 7")
        #expect(SeedListText.counted([1, 2, 3]) == "3 seeds (1..3)")
        #expect(SeedListText.text([.max, .max - 1]) == "\(UInt64.max - 1)..\(UInt64.max)")
    }
}
