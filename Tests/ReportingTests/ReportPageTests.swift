import Budgets
import Foundation
import Measurements
import Quantities
import Reporting
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The page is well-formed, self-contained, small, and the same each time.
@Suite struct ReportPageTests {
    @Test(arguments: [false, true])
    func `the page is well-formed`(isBroken: Bool) throws {
        let page = ReportPage.text(of: try SampleCommute.run(count: 6, isBroken: isBroken))
        let check = MarkupCheck(page)
        #expect(check.problem == nil)
        #expect(check.names.contains("svg"))
        #expect(check.repeatedIDs.isEmpty)
    }

    @Test func `the page asks nothing of a network and runs no script`() throws {
        let page = ReportPage.text(of: try SampleCommute.run(count: 6, isBroken: true))
        for banned in [
            "http:", "https:", "//", "<script", "<link", "<img", "<iframe", "@import", "url(",
            "javascript:", " src=", " href=", " on",
        ] where banned != " on" {
            #expect(!page.contains(banned), "\(banned)")
        }
        #expect(page.firstMatch(of: /\son[a-z]+=/) == nil, "no event handlers")
    }

    @Test func `every drawing has a title, and every section a heading`() throws {
        let page = ReportPage.text(of: try SampleCommute.run(count: 6, isBroken: true))
        let drawings = page.components(separatedBy: "<svg ").dropFirst()
        #expect(drawings.count > 20)
        for drawing in drawings {
            let head = drawing.prefix(300)
            #expect(head.contains("role=\"img\"><title>"), "\(head.prefix(80))")
        }
        let sections = page.components(separatedBy: "<section ").dropFirst()
        #expect(sections.count == 8)
        for section in sections {
            let match = section.prefixMatch(of: /aria-labelledby="([a-z]+)">\n<h2 id="([a-z]+)">/)
            #expect(match?.output.1 == match?.output.2)
            #expect(match != nil)
        }
        for wanted in [
            "lang=\"en\"", "name=\"viewport\"", "prefers-color-scheme:dark", "@media print",
        ] {
            #expect(page.contains(wanted))
        }
    }

    @Test func `what a gate excuses is shown as excused, with who answers for it`() throws {
        let run = try SampleCommute.run(count: 6, isBroken: true)
        let failing =
            run.breaches.map(\.guarantee.text)
            + run.budgets.filter { $0.verdict == .fail }.map { GateFailure.name(of: $0) }
        var surroundings = GateVerdict.Surroundings(
            baseline: .missing("b.json"),
            today: "2026-11-30",
            toolVersion: "1"
        )
        surroundings.known = Set(failing).sorted().map { failure in
            KnownFailure(
                profile: run.profile,
                failure: failure,
                reason: "the <old> client",
                owner: "messaging",
                until: "2026-12-31",
                place: "known.jsonc:1:1"
            )
        }
        let page = ReportPage.text(of: run, gate: GateVerdict(of: run, in: surroundings))
        #expect(MarkupCheck(page).problem == nil)
        #expect(page.contains("onebar gate, "))
        #expect(page.contains("no baseline at b.json"))
        #expect(!page.contains("b-fail\">broken"))
        let excuse = "nown failure, excused until 2026-12-31 (messaging, the &lt;old&gt; client)"
        #expect(page.components(separatedBy: excuse).count > Set(failing).count)
        #expect(ReportPage.text(of: run).contains("b-fail\">broken"))
    }

    @Test func `on a phone a figure's name has a line of its own, and its values the next`() throws
    {
        let page = ReportPage.text(of: try SampleCommute.run(count: 6))
        #expect(page.contains("<table class=\"figures"))
        let phone = try #require(page.components(separatedBy: "@media (max-width:640px)").last)
        // n, lowest, p50, p95, highest.
        let columns = ".figures tr{grid-template-columns:2.6em repeat(4,minmax(0,1fr))}"
        #expect(phone.contains(columns))
        #expect(page.contains("<i class=\"f-suspended\"></i>suspended"))
    }

    // Of a bar of 1.06 times the highest, which is the limit or the value, the limit's label begins at
    // 94 % (and ends there), 31 % and 9 %.
    @Test(arguments: [("90J", "beside"), ("30J", "beside desk"), ("9J", "")])
    func `the limit's label and the values' do not cover each other`(limit: String, place: String)
        throws
    {
        let seed = SeedResult(
            seed: 1,
            mode: "captured",
            metrics: [MetricReading(MetricName("radio.energy_j"), 90)],
            fingerprint: "f",
            virtualEnd: .zero
        )
        let run = ProfileRun(
            profile: "mini",
            mode: "captured",
            radios: [],
            seeds: [seed],
            rules: [try BudgetRule(metric: "radio.energy_j", text: "max <= \(limit)")]
        )
        let page = ReportPage.text(of: run)
        let wanted = place.isEmpty ? "" : " class=\"\(place)\""
        #expect(page.contains("<details\(wanted)><summary>Values by seed"))
        #expect(page.contains(".budget details.desk{margin-top:0}"))
    }

    // "p95 <= 1.49%" goes to the next line whole, or stays.
    @Test func `a limit is not broken between its sign and its figure`() throws {
        let page = ReportPage.text(of: try SampleCommute.run(count: 2))
        #expect(page.contains("<span class=\"rule\">p95 &lt;= "))
        #expect(page.contains(".rule{white-space:nowrap}"))
    }

    @Test func `no label of the time axis is cut off on a phone`() throws {
        let page = ReportPage.text(of: try SampleCommute.run(count: 1))
        #expect(page.contains(".axis span.late{display:none}"))
        let parts = page.components(separatedBy: "<div class=\"axis\">")
        let axis = try #require(parts.dropFirst().first)
        let labels = axis.prefix(while: { $0 != "\n" }).matches(
            of: /<span(| class="late") style="left:([0-9.]+)%">/
        )
        #expect(labels.count > 3)
        for label in labels {
            // A label of 40 px at 85 % of 330 px ends at 320.
            #expect(label.output.1.isEmpty == (try #require(Double(label.output.2)) < 85))
        }
    }

    @Test func `the name of a phase has a ground of its own, also where the path is down`() throws {
        let page = ReportPage.text(of: try SampleCommute.run(count: 1))
        let rule = try #require(page.firstMatch(of: /\.plot \.name\{[^}]*\}/))
        #expect(rule.output.contains("color:var(--ink)"))
        #expect(rule.output.contains("background:var(--card)"))
    }

    @Test func `a single seed is not called the worst`() throws {
        let one = ReportPage.text(of: try SampleCommute.run(count: 1))
        #expect(one.contains("A seed gives the same run each time.") && !one.contains("worst"))
        let six = ReportPage.text(of: try SampleCommute.run(count: 6))
        #expect(six.contains("is the worst one.") && six.contains("the worst one first."))
    }

    @Test func `fifty seeds stay below a megabyte`() throws {
        let page = ReportPage.text(of: try SampleCommute.run(count: 50, isBroken: true))
        #expect(page.utf8.count < 1_000_000)
        #expect(page.utf8.count > 100_000)
    }

    @Test func `the verdict comes first, then what broke, budgets, timeline, energy`() throws {
        let page = ReportPage.text(of: try SampleCommute.run(count: 3, isBroken: true))
        let marks = [
            "class=\"verdict v-fail\"", "id=\"broke\"", "id=\"budgets\"", "id=\"timeline\"",
            "id=\"energy\"", "id=\"figures\"", "id=\"faults\"", "id=\"replay\"", "id=\"meaning\"",
        ]
        let places = marks.map { page.range(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        #expect(page.contains("took effect twice at the server"))
        #expect(page.contains("onebar run commute --seeds 2"))
        #expect(page.contains("lte-2012-aro (2012, grade A)"))
    }

    @Test func `a passing page has no story, and says what held`() throws {
        let run = try SampleCommute.run(count: 3, rules: [("network.up_bytes", "max <= 60MB")])
        let page = ReportPage.text(of: run)
        #expect(page.contains("class=\"verdict v-pass\""))
        #expect(page.contains("every guarantee was kept, and the budget."))
        #expect(!page.contains("What broke"))
    }

    @Test func `names that look like markup are text`() throws {
        let run = try SampleCommute.run(count: 1, profile: "<b>&\"'")
        let page = ReportPage.text(of: run)
        #expect(!page.contains("<b>&"))
        #expect(page.contains("&lt;b&gt;&amp;&quot;&#39;"))
        #expect(MarkupCheck(page).problem == nil)
    }

    @Test func `text keeps a contrast of 4.5 to 1 on its ground, light and dark`() throws {
        // WCAG 2.2, 1.4.3; luminance as its glossary defines it.
        let style = try #require(
            ReportPage.text(of: try SampleCommute.run(count: 1)).firstMatch(
                of: /(?s)<style>(.*)<\/style>/
            )?.output.1
        )
        let schemes = String(style).components(separatedBy: "@media (prefers-color-scheme:dark)")
        let pairs = [
            ("ink", "ground"), ("ink", "card"), ("ink", "code"), ("soft", "ground"),
            ("soft", "card"), ("good", "goodbg"), ("bad", "badbg"), ("warn", "warnbg"),
            ("ink", "goodbg"), ("ink", "badbg"), ("ink", "warnbg"), ("good", "card"),
            ("bad", "card"), ("card", "bad"), ("ink", "area"), ("ink", "fore"),
        ]
        for scheme in schemes.prefix(2) {
            for (text, ground) in pairs {
                let contrast = try Colour.contrast(
                    Colour(named: text, in: scheme),
                    Colour(named: ground, in: scheme)
                )
                #expect(contrast >= 4.5, "\(text) on \(ground): \(contrast)")
            }
        }
    }
}

/// A colour of the style sheet, by the luminance that WCAG defines.
struct Colour {
    let luminance: Double

    init(named name: String, in style: String) throws {
        let pattern = try Regex("--\(name):#([0-9a-f]{6})", as: (Substring, Substring).self)
        let digits = try #require(style.firstMatch(of: pattern)?.output.1, "\(name)")
        let value = try #require(Int(digits, radix: 16))
        func linear(_ channel: Int) -> Double {
            let share = Double(channel & 255) / 255
            return share <= 0.040_45 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        luminance =
            0.2126 * linear(value >> 16) + 0.7152 * linear(value >> 8) + 0.0722 * linear(value)
    }

    static func contrast(_ one: Colour, _ other: Colour) -> Double {
        let (dark, light) = (
            min(one.luminance, other.luminance), max(one.luminance, other.luminance)
        )
        return (light + 0.05) / (dark + 0.05)
    }
}

/// Reads markup with a strict XML parser, which accepts our page because we close all we open.
final class MarkupCheck: NSObject, XMLParserDelegate {
    private(set) var problem: String?
    private(set) var names: Set<String> = []
    private(set) var repeatedIDs: [String] = []
    private(set) var elements: [(name: String, attributes: [String: String])] = []
    private var ids: Set<String> = []

    init(_ text: String) {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        if !parser.parse() {
            problem = "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "?")"
        }
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        names.insert(name)
        elements.append((name, attributes))
        if let id = attributes["id"], !ids.insert(id).inserted { repeatedIDs.append(id) }
    }
}
