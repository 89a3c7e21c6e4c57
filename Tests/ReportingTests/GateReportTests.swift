import Budgets
import Measurements
import Quantities
import Reporting
import Testing

/// Every file of a gate says what the terminal says: pass, fail, or not decided.
@Suite struct GateReportTests {
    static let joules = MetricName("radio.energy_j")

    /// A gate that came out in one way, and how each file says so.
    struct Ending: Sendable {
        let name: String
        let report: GateReport
        let terminal: String
        let word: String
        let kind: String
        let code: Int32
    }

    static func run(_ joules: [Double], limit: String = "900J", breaks: Bool = false) throws
        -> ProfileRun
    {
        let breach = GuaranteeBreach(
            guarantee: .inOrder,
            seed: 1,
            instant: .zero,
            device: 0,
            subject: "m2",
            entity: "aunt",
            owner: "message.send",
            message: "'m2' came before 'm1'"
        )
        let seeds = joules.enumerated().map { index, value in
            SeedResult(
                seed: UInt64(index + 1),
                mode: "captured",
                metrics: [MetricReading(Self.joules, value)],
                breaches: breaks && index == 0 ? [breach] : [],
                fingerprint: "f",
                virtualEnd: .zero
            )
        }
        return ProfileRun(
            profile: "mini",
            mode: "captured",
            radios: [],
            seeds: seeds,
            rules: [try BudgetRule(metric: "radio.energy_j", text: "max <= \(limit)")]
        )
    }

    /// The gate of `run` against seeds that took `before`; nil for no baseline.
    static func gate(_ run: ProfileRun, before: [Double]?, known: [String] = []) throws
        -> GateReport
    {
        let baseline = try before.map {
            BudgetBaseline(profile: "mini", of: try Self.run($0).seeds, paired: [joules])
        }
        var surroundings = GateVerdict.Surroundings(
            baseline: baseline.map { .current($0) } ?? .missing("b.json"),
            today: "2026-11-30",
            toolVersion: "1"
        )
        if let baseline {
            surroundings.comparisons = GateComparison.all(
                of: [GatedMetric(name: joules)],
                seeds: run.seeds,
                baseline: baseline,
                looks: 1
            )
        }
        surroundings.known = known.map {
            KnownFailure(
                profile: "mini",
                failure: $0,
                reason: "the old client",
                owner: "messaging",
                until: "2026-12-31",
                place: "known.jsonc:1:1"
            )
        }
        return GateReport(run: run, verdict: GateVerdict(of: run, in: surroundings))
    }

    private static let ten = Array(repeating: 100.0, count: 10)

    /// Three pairs can show no chance below 1 in 8, so a change over three seeds stays open.
    private static let three = [100.0, 100, 100]

    static func endings() throws -> [Ending] {
        let dearer = ten.map { $0 + 10 }
        let pass = ("PASS  ", "pass", "pass", Int32(0))
        let warn = ("PASS with warnings  ", "pass, with warnings", "warn", Int32(0))
        let fail = ("FAIL  ", "fail", "fail", Int32(1))
        let open = ("NOT DECIDED  ", "not decided", "not-decided", Int32(5))
        let order = GuaranteeName.inOrder.text
        let rows: [(String, ProfileRun, [Double]?, [String], (String, String, String, Int32))] = [
            ("the same", try run(ten), ten, [], pass),
            ("dearer", try run(dearer), ten, [], fail),
            ("over its budget", try run(ten, limit: "99J"), ten, [], fail),
            ("without a baseline", try run(ten), nil, [], open),
            ("inconclusive", try run(three.map { $0 + 1 }), three, [], open),
            ("broken, and excused", try run(ten, breaks: true), ten, [order], warn),
            ("dearer, and excused", try run(dearer), ten, ["radio.energy_j: baseline"], warn),
            // What is excused breaks nothing: there is only no baseline.
            ("excused, without a baseline", try run(ten, breaks: true), nil, [order], open),
            // Whether it is still dearer nobody can say: no reason to strike the line.
            (
                "known to be dearer, without a baseline", try run(ten), nil,
                ["radio.energy_j: baseline"], open
            ),
            (
                "known to be dearer, and open", try run(three.map { $0 + 1 }), three,
                ["radio.energy_j: baseline"], open
            ),
            ("excused for nothing", try run(ten), ten, [order], fail),
            // Exit 5 is the graver one, but a broken budget is a failure, decided or not.
            (
                "over its budget, without a baseline", try run(ten, limit: "99J"), nil, [],
                ("FAIL  ", "fail", "fail", Int32(5))
            ),
        ]
        return try rows.map { name, run, before, known, words in
            Ending(
                name: name,
                report: try gate(run, before: before, known: known),
                terminal: words.0,
                word: words.1,
                kind: words.2,
                code: words.3
            )
        }
    }

    @Test func `terminal, page, summary, JUnit, JSON and annotations say the same`() throws {
        for ending in try Self.endings() {
            let report = ending.report
            let files = try Dictionary(
                uniqueKeysWithValues: report.files().map { ($0.name, $0.text) }
            )
            let (name, word) = (ending.name, ending.word)
            #expect(report.verdict.outcome.exitCode == ending.code, "\(name)")
            let text = GateText(report, isColored: false).text
            #expect(text.hasPrefix("gate mini  \(ending.terminal)"), "\(name): \(text)")
            let page = try #require(files["report.html"])
            #expect(page.contains("<title>mini: \(word)</title>"), "\(name)")
            let heading = "<p class=\"word\">\(word.prefix(1).uppercased())\(word.dropFirst())</p>"
            #expect(page.contains("v-\(ending.kind)\" role=\"status\">\(heading)"), "\(name)")
            #expect(page.contains(".v-\(ending.kind)"), "\(name): a style of its own")
            let summary = try #require(files["summary.md"])
            let bold = ["fail", "not decided"].contains(word) ? "**\(word)**" : word
            #expect(summary.contains("\n### Onebar gate mini: \(bold)\n"), "\(name): \(summary)")
            let json = try #require(files["gate.json"])
            #expect(json.contains("\"verdict\": \"\(ending.kind)\",\n"), "\(name): \(json)")
            #expect(json.contains("\"exit_code\": \(ending.code),"), "\(name)")
            for line in GitHubAnnotations.lines(of: report) {
                let title = word.replacing(",", with: "%2C")
                #expect(line.contains(" title=gate mini%3A \(title)::"), "\(name): \(line)")
            }
            try checkJUnit(ending, try #require(files["junit.xml"]))
        }
    }

    private func checkJUnit(_ ending: Ending, _ text: String) throws {
        let check = MarkupCheck(text)
        #expect(check.problem == nil)
        let failures = check.elements.filter { $0.name == "failure" }
        let errors = check.elements.filter { $0.name == "error" }
        let name = ending.name
        switch ending.kind {
        case "fail":
            #expect(failures.last?.attributes["type"] == "fail", "\(name): \(text)")
            #expect(failures.last?.attributes["message"]?.hasPrefix("fail: ") == true, "\(name)")
        case "not-decided":
            // What cannot be judged is an error: no case of it has failed.
            #expect(failures.isEmpty, "\(name): \(text)")
            #expect(errors.last?.attributes["type"] == "not decided", "\(name)")
            let message = errors.last?.attributes["message"] ?? ""
            #expect(message.hasPrefix("not decided: "), "\(name): \(message)")
        default:
            #expect(failures.isEmpty && errors.isEmpty, "\(name): \(text)")
        }
        for element in check.elements where element.name.hasPrefix("testsuite") {
            #expect(element.attributes["failures"] == "\(failures.count)", "\(name)")
            #expect(element.attributes["errors"] == "\(errors.count)", "\(name)")
        }
    }

    @Test func `a known regression that nobody can compare is not said to be mended`() throws {
        let open = try Self.gate(
            Self.run(Self.ten),
            before: nil,
            known: ["radio.energy_j: baseline"]
        )
        #expect(open.verdict.reasons == ["there is no baseline at b.json; write one with --update"])
        let mended = try Self.gate(
            Self.run(Self.ten),
            before: Self.ten,
            known: ["radio.energy_j: baseline"]
        )
        #expect(
            mended.verdict.reasons
                == [
                    "known.jsonc:1:1: 'radio.energy_j: baseline' does not fail any more; remove the line"
                ]
        )
    }

    @Test func `the page says what to do about a baseline, which no story below does`() throws {
        let report = try Self.gate(Self.run(Self.ten), before: nil)
        let page = ReportPage.text(of: report.run, gate: report.verdict)
        #expect(page.contains("<li>There is no baseline at b.json; write one with --update.</li>"))
        let open = try Self.gate(Self.run(Self.three.map { $0 + 1 }), before: Self.three)
        let other = ReportPage.text(of: open.run, gate: open.verdict)
        #expect(other.contains("; 8 seeds would settle it.</li>"))
    }

    @Test func `the summary's line to replay is of what is not excused`() throws {
        let excused = try Self.gate(
            Self.run(Self.ten, breaks: true),
            before: Self.ten,
            known: [GuaranteeName.inOrder.text]
        )
        #expect(!GateMarkdown.text(of: excused).contains("Replay:"))
        let broken = try Self.gate(Self.run(Self.ten, breaks: true), before: Self.ten)
        #expect(GateMarkdown.text(of: broken).contains("Replay: `onebar run mini --seeds 1`"))
    }
}
