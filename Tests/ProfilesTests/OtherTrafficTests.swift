import Profiles
import Quantities
import Testing

/// `other_apps`, and actions that go `with` one of them.
@Suite struct OtherTrafficTests {
    private static let ride =
        #""workload": [{ "do": "radio.activity", "with": "mail", "lasts": "1s" }]"#

    private func messages(_ lines: String) throws -> [String] {
        try ProfileFixture(ProfileFixture.profile(lines)).messages()
    }

    @Test func `other apps are part of the conditions`() throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
              "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" },
              "other_apps": [
                { "owner": "mail", "every": "5min..20min", "from": "1min", "lasts": "200ms..2s" },
                { "owner": "chat", "at": ["1s", "5s"], "lasts": "1s" }
              ],
              \(Self.ride),
              "run": { "seeds": 1, "for": "1h" }
            }
            """
        )
        let read = try ScenarioReader.scenario("p", in: fixture.library)
        let others = read.conditions.otherApps
        #expect(others.map(\.owner) == ["mail", "chat"])
        #expect(
            others.first?.schedule
                == .every(
                    QuantityRange(.seconds(300), .seconds(1_200)),
                    from: .seconds(60),
                    count: .max
                )
        )
        #expect(others.first?.lasts == QuantityRange(.milliseconds(200), .seconds(2)))
        #expect(others.last?.schedule == .at([.seconds(1), .seconds(5)]))
        #expect(read.scenario.workload.first?.schedule == .with("mail"))
        #expect(read.activeDuration == .seconds(3_600), "an endless app does not lengthen the run")
    }

    @Test(arguments: [
        (
            #"[{ "owner": "mail", "every": "0s", "lasts": "1s" }]"#,
            #"it would never let time go on (write "5min")"#
        ),
        (#"[{ "owner": "idle", "at": "1s", "lasts": "1s" }]"#, #""idle" is the phone itself"#),
        (#"[{ "owner": "mail", "at": "1s" }]"#, #"other app has no "lasts""#),
        (#"[{ "at": "1s", "lasts": "1s" }]"#, #"other app has no "owner""#),
        (
            #"[{ "owner": "mail", "at": "1s", "lasts": "1s" }, "#
                + #"{ "owner": "mail", "at": "2s", "lasts": "1s" }]"#,
            #"two apps are "mail" (give each a name)"#
        ),
        (#"[{ "owner": "mail", "lasts": "1s" }]"#, "does not say when"),
    ])
    func `a mistake in other apps is told`(others: String, says: String) throws {
        let all = try messages("\"other_apps\": \(others),\n" + ProfileFixture.workload)
        #expect(all.contains { $0.contains(says) }, "\(all)")
    }

    @Test func `riding on nobody is told`() throws {
        let none = try messages(Self.ride)
        #expect(none.contains { $0.contains(#"no other app is "mail" (declare it: "#) }, "\(none)")
        let misspelt = try messages(
            #""other_apps": [{ "owner": "mial", "at": "1s", "lasts": "1s" }],"# + Self.ride
        )
        #expect(misspelt.contains { $0.contains(#"(did you mean "mial"?)"#) }, "\(misspelt)")
        let endless = try messages(
            #""other_apps": [{ "owner": "mail", "every": "1s", "lasts": "1s" }],"# + Self.ride
        )
        #expect(endless.contains { $0.contains("the run has no length") }, "\(endless)")
    }

    @Test func `an action is either timed or goes with an app`() throws {
        let all = try messages(
            #""other_apps": [{ "owner": "mail", "at": "1s", "lasts": "1s" }],"#
                + #""workload": [{ "do": "message.send", "with": "mail", "at": "1s" }]"#
        )
        #expect(all.contains { $0.contains(#"has both "with" and "at" (keep one)"#) }, "\(all)")
    }

    @Test func `a count and a start may be ranges of which each seed draws one`() throws {
        let fixture = try ProfileFixture(
            ProfileFixture.profile(
                #""workload": [{ "do": "message.send", "every": "1min..2min", "from": "1h..2h", "#
                    + #""count": "8..40" }]"#
            )
        )
        let read = try ScenarioReader.scenario("p", in: fixture.library)
        let schedule = try #require(read.scenario.workload.first?.schedule)
        #expect(
            schedule
                == .drawn(
                    QuantityRange(.seconds(60), .seconds(120)),
                    from: QuantityRange(.seconds(3_600), .seconds(7_200)),
                    count: 8...40
                )
        )
        // At most: 2 h and 39 intervals of 2 min; at least: 1 h and 7 intervals of 1 min.
        #expect(schedule.latest == .seconds(7_200 + 39 * 120))
        #expect(schedule.earliestEnd == .seconds(3_600 + 7 * 60))
    }

    @Test(arguments: ["40..8", "8..", "0..3"])
    func `a range of counts that is none is told`(count: String) throws {
        let all = try messages(
            #""workload": [{ "do": "message.send", "every": "1min", "count": "\#(count)" }]"#
        )
        #expect(all.contains { $0.contains("\"\(count)\" is no count") }, "\(all)")
    }
}
