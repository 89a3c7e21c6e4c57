import Budgets
import Profiles
import Testing

/// Budget packs: lines by name, put under those of the profile, each with its source.
@Suite struct BudgetPackTests {
    private static let pack = """
        { "onebar": 1, "budgets": {
          "radio.energy_j": { "limit": "p95 <= 50J", "source": "a book" },
          "radio.on_s": { "limit": "max <= 60s", "level": "warn", "assumption": "a guess" } } }
        """

    /// A profile with these budgets, and the packs "green" (above) and "patient" beside it.
    private func fixture(_ budgets: String) throws -> ProfileFixture {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
              "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" },
              "workload": [{ "do": "message.send", "at": "1s" }],
              "run": { "seeds": "1..20" },
              "budgets": \(budgets) }
            """
        )
        try fixture.write("profiles/budgets/green.jsonc", Self.pack)
        try fixture.write(
            "profiles/budgets/patient.jsonc",
            #"{ "onebar": 1, "budgets": { "radio.on_s": { "limit": "p50 <= 9s", "source": "s" } } }"#
        )
        return fixture
    }

    private func rules(_ budgets: String) throws -> [String] {
        let fixture = try fixture(budgets)
        return try ScenarioReader.scenario("p", in: fixture.library).scenario.budgets.map {
            "\($0.rule.metric) \($0.rule.text) \($0.rule.level.rawValue) \($0.rule.pack ?? "own")"
        }
    }

    @Test func `a pack stands for its lines, alone or among others`() throws {
        let green = [
            "radio.energy_j p95 <= 50J fail green", "radio.on_s max <= 60s warn green",
        ]
        #expect(try rules(#""green""#) == green)
        #expect(try rules(#"["green"]"#) == green)
        #expect(
            try rules(#"["green", "patient", { "network.requests": "max <= 9" }]"#)
                == green + [
                    "radio.on_s p50 <= 9s fail patient", "network.requests max <= 9 fail own",
                ]
        )
    }

    @Test func `a line of the profile replaces the same statistic, and null takes away`() throws {
        #expect(
            try rules(#"["green", { "radio.energy_j": "p95 <= 80J", "radio.on_s": "p50 <= 7s" }]"#)
                == [
                    "radio.on_s max <= 60s warn green", "radio.energy_j p95 <= 80J fail own",
                    "radio.on_s p50 <= 7s fail own",
                ]
        )
        #expect(
            try rules(#"["green", { "radio.on_s": null }]"#)
                == ["radio.energy_j p95 <= 50J fail green"]
        )
    }

    @Test func `a limit on the other side of a figure takes the place of none`() throws {
        #expect(
            try rules(#"["green", { "radio.energy_j": "p95 >= 1J" }]"#) == [
                "radio.energy_j p95 <= 50J fail green", "radio.on_s max <= 60s warn green",
                "radio.energy_j p95 >= 1J fail own",
            ]
        )
        #expect(
            try rules(#"["green", { "radio.energy_j": "p95 < 9J" }]"#) == [
                "radio.on_s max <= 60s warn green", "radio.energy_j p95 < 9J fail own",
            ]
        )
    }

    @Test func `one own limit may warn before another fails, and a baseline stand beside`() throws {
        let lines = #"""
            ["p95 <= 9J", { "limit": "p95 <= 8J", "level": "warn" }, "p95 <= baseline + 3%"]
            """#
        #expect(try rules("{ \"radio.energy_j\": \(lines) }").count == 3)
    }

    /// The rules of a profile with `child` for its budgets that extends one with `parent`.
    private func rules(_ child: String, over parent: String) throws -> [String] {
        let fixture = try fixture(parent)
        try fixture.write(
            "profiles/child.jsonc",
            #"{ "onebar": 1, "extends": "p", "budgets": \#(child) }"#
        )
        return try ScenarioReader.scenario("child", in: fixture.library).scenario.budgets.map {
            "\($0.rule.metric) \($0.rule.text) \($0.rule.pack ?? "own")"
        }
    }

    private static let parent =
        #"["green", { "network.requests": "max <= 9", "radio.on_s": "p50 <= 7s" }]"#

    @Test func `an object over an array adds to it, replaces, and takes away with null`() throws {
        #expect(
            try rules(#"{ "network.requests": "max <= 5" }"#, over: Self.parent) == [
                "radio.energy_j p95 <= 50J green", "radio.on_s max <= 60s green",
                "radio.on_s p50 <= 7s own", "network.requests max <= 5 own",
            ]
        )
        #expect(
            try rules(#"{ "radio.on_s": null }"#, over: Self.parent) == [
                "radio.energy_j p95 <= 50J green", "network.requests max <= 9 own",
            ]
        )
    }

    @Test func `an object over an object keeps what bounds the other side`() throws {
        let old = #"{ "radio.on_s": "max <= 60s", "network.requests": "max <= 9" }"#
        #expect(
            try rules(#"{ "radio.on_s": "max >= 1s", "network.requests": "max <= 5" }"#, over: old)
                == [
                    "radio.on_s max <= 60s own", "radio.on_s max >= 1s own",
                    "network.requests max <= 5 own",
                ]
        )
    }

    @Test func `an array over an object or an array keeps the limits of both`() throws {
        #expect(
            try rules(#"["patient", { "network.requests": null }]"#, over: Self.parent) == [
                "radio.energy_j p95 <= 50J green", "radio.on_s max <= 60s green",
                "radio.on_s p50 <= 7s own", "radio.on_s p50 <= 9s patient",
            ]
        )
        #expect(
            try rules(#"["green"]"#, over: #"{ "network.requests": "max <= 9" }"#) == [
                "network.requests max <= 9 own", "radio.energy_j p95 <= 50J green",
                "radio.on_s max <= 60s green",
            ]
        )
        #expect(
            try rules(#"["green", { "network.requests": "max <= 5" }]"#, over: #""green""#) == [
                "radio.energy_j p95 <= 50J green", "radio.on_s max <= 60s green",
                "network.requests max <= 5 own",
            ]
        )
        #expect(try rules("null", over: Self.parent).isEmpty)
    }

    @Test(arguments: [
        (
            #"{ "radio.on_s": ["p95 <= 9s", "p95 < 8s"] }"#,
            "'p95 < 8s' limits radio.on_s p95 on the same side as 'p95 <= 9s' at profiles/p.jsonc:"
        ),
        (
            #"[{ "radio.on_s": "p95 <= 9s" }, { "radio.on_s": "p95 <= 9s" }]"#,
            "'p95 <= 9s' limits radio.on_s p95 on the same side as 'p95 <= 9s' at profiles/p.jsonc:"
        ),
        (#"["gren"]"#, #"there is no budget pack "gren" (did you mean "green"?)"#),
        (#"["green", "green"]"#, #"the budget pack "green" is named twice (name it once)"#),
        (
            #"["green", { "outbox.drain_s": null }]"#,
            "nothing before has a limit on 'outbox.drain_s' to take away (remove the line)"
        ),
        (#"["green", 7]"#, "the number 7 stands where budgets belong"),
        (
            #"{ "radio.energyj": "p95 <= 9J" }"#,
            #"'radio.energyj' is not a metric (did you mean "radio.energy_j"?)"#
        ),
        (
            #"{ "screen.placeholder_mss": "p95 <= 9" }"#,
            #"'screen.placeholder_mss' is none of the lab's metrics (did you mean "screen.placeholder_ms"?"#
        ),
    ])
    func `a mistake is told with its place and the nearest name`(
        budgets: String,
        says: String
    ) throws {
        let messages = try fixture(budgets).messages()
        #expect(messages.count == 1)
        #expect(messages.first?.contains(says) == true, "\(messages)")
        #expect(messages.first?.hasPrefix("profiles/p.jsonc:5:") == true, "\(messages)")
    }

    @Test func `a limit of a pack without a source is refused`() throws {
        let fixture = try fixture(#"["bare"]"#)
        try fixture.write(
            "profiles/budgets/bare.jsonc",
            #"{ "onebar": 1, "budgets": { "radio.on_s": { "limit": "max <= 9s" } } }"#
        )
        let expected = "profiles/budgets/bare.jsonc:1:43: error: the limit does not say where"
        #expect(fixture.messages().first?.hasPrefix(expected) == true, "\(fixture.messages())")
        let check = FileCheck.check("profiles/budgets/bare.jsonc", in: fixture.library)
        #expect(check.problems.first?.description.hasPrefix(expected) == true)
    }

    @Test func `a pack changes what is judged, not the weather`() throws {
        let with = try fixture(#"["green"]"#)
        let without = try fixture(#"{ "radio.on_s": "max <= 1s" }"#)
        let weathers = try [with, without].map {
            try ScenarioReader.scenario("p", in: $0.library).closure.weather
        }
        #expect(weathers[0] == weathers[1])
    }

    @Test(arguments: ShippedProfileTests.library.presetNames(.budgets))
    func `a shipped pack reads without a problem`(name: String) throws {
        let path = try #require(ShippedProfileTests.library.pathOfPreset(.budgets, named: name))
        let check = FileCheck.check(path, in: ShippedProfileTests.library)
        #expect(check.problems.isEmpty, "\(check.problems)")
        #expect(try ShippedProfileTests.library.document(at: path).leadingComment.isEmpty == false)
    }
}
