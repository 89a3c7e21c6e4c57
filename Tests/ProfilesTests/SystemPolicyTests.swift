import Foundation
import PhoneModel
import Profiles
import Quantities
import Testing

/// `os`: policies of operating systems, by name and with overrides.
@Suite struct SystemPolicyTests {
    private static let shipped = ProfileLibrary(
        folders: [ProfileLibrary.sourceTree + "/profiles"],
        workingDirectory: ProfileLibrary.sourceTree
    )

    /// Reads a profile with these lines beside the shipped policies.
    private func fixture(_ lines: String) throws -> ProfileFixture {
        let fixture = try ProfileFixture(ProfileFixture.profile(lines))
        for name in ["android-14", "ios-17"] {
            let path = try #require(Self.shipped.pathOfPreset(.os, named: name))
            let text = try Self.shipped.document(at: path).text
            try fixture.write("profiles/os/\(name).jsonc", text)
        }
        return fixture
    }

    private func policy(_ os: String) throws -> SystemConfiguration {
        let lines = #""os": \#(os), \#(ProfileFixture.workload)"#
        let fixture = try fixture(lines)
        let read = try ScenarioReader.scenario("p", in: fixture.library)
        // The files live as long as the fixture.
        return try withExtendedLifetime(fixture) { try #require(read.conditions.system) }
    }

    // Figures of radio.md, C.2 to C.6 and C.10.
    @Test func `the policies have the researched figures`() throws {
        let android = try policy("\"android-14\"").policy
        #expect(android.name == "android-14")
        #expect(android.suspension.after == .seconds(10))
        #expect(android.refresh.retry?.wait(after: 1) == .seconds(30))
        #expect(android.refresh.retry?.ceiling == .seconds(18_000))
        let doze = try #require(android.doze)
        #expect(doze.light.after == .seconds(60))
        #expect(doze.light.idle.longest == .seconds(900))
        #expect(doze.light.budget == QuantityRange(.seconds(60), .seconds(300)))
        #expect(doze.deep.idle.longest == .seconds(21_600))
        let standby = try #require(android.standby)
        let windows: [Duration] = [600, 7_200, 28_800, 86_400, 86_400].map { .seconds($0) }
        #expect(standby.buckets.map(\.window) == windows)
        #expect(standby.buckets.map(\.jobs) == [75, 120, 200, 48, 10])
        #expect(standby.buckets.map(\.sessions) == [75, 10, 8, 3, 1])
        let apple = try policy("\"ios-17\"").policy
        #expect(apple.suspension.finishing == .seconds(30))
        #expect(apple.refresh.length == QuantityRange(.seconds(30)))
        #expect(apple.refresh.pending == 1)
        #expect(apple.processing.pending == 10)
        #expect(apple.processing.length == QuantityRange(.seconds(60), .seconds(600)))
        #expect(apple.transfers.limiter == .seconds(60))
        #expect(apple.forceQuit.stopsBackgroundWork && apple.forceQuit.cancelsTransfers)
        #expect(apple.doze == nil && apple.standby == nil)
    }

    @Test func `a policy takes overrides and what its person has switched on`() throws {
        let read = try policy(
            #"{ "policy": "ios-17", "low_power": true, "suspension": { "after": "1s" } }"#
        )
        #expect(read.savesPower)
        #expect(!read.savesData)
        #expect(read.policy.suspension.after == .seconds(1))
        #expect(read.policy.suspension.finishing == .seconds(30))
    }

    @Test func `without "os" there is no policy`() throws {
        let fixture = try fixture(ProfileFixture.workload)
        #expect(try ScenarioReader.scenario("p", in: fixture.library).conditions.system == nil)
    }

    @Test func `an unknown system is told with the nearest one`() throws {
        let messages = try fixture(#""os": "ios-71", \#(ProfileFixture.workload)"#).messages()
        #expect(messages.count == 1)
        let place = "p.jsonc:5:7: error: there is no operating system"
        #expect(messages.first?.contains(place) == true)
        #expect(messages.first?.contains("ios-17") == true)
    }

    @Test func `a device of another system is a warning`() throws {
        let messages = try fixture(#""os": "ios-17", \#(ProfileFixture.workload)"#).messages()
        #expect(messages.count == 1)
        #expect(messages.first?.contains("the device is one of android-14") == true)
    }

    @Test func `a crowd of callers has no phones for a system to rule`() throws {
        let change = try #require(ProfileOverride("os=android-14"))
        let error = #expect(throws: ProfileError.self) {
            try ScenarioReader.scenario("thundering-herd", in: Self.shipped, overrides: [change])
        }
        let problems = error?.problems.map(\.description) ?? []
        #expect(problems.count == 1, "\(problems)")
        #expect(
            problems.first?.contains("a fleet of callers has no phones that a system could rule")
                == true,
            "\(problems)"
        )
        #expect(problems.first?.contains("drop \"os\" or the fleet") == true)
    }

    @Test(arguments: [
        #"{ "do": "app.use", "at": "1s", "for": "1min" }"#,
        #"{ "do": "push.receive", "at": "1s" }"#,
        #"{ "do": "phone.carry", "at": "1s", "for": "1min" }"#,
        #"{ "do": "phone.charge", "at": "1s", "for": "1min" }"#,
    ])
    func `what happens to a phone in a pocket needs a system`(action: String) throws {
        let messages = try fixture(#""workload": [\#(action)]"#).messages()
        #expect(messages.count == 1)
        #expect(messages.first?.contains("needs an operating system's policy") == true)
        #expect(messages.first?.contains("add \"os\": \"android-14\"") == true)
    }

    @Test func `uploads in the background need a system`() throws {
        let messages = try fixture(
            #""app": { "uploader": { "background": true } }, \#(ProfileFixture.workload)"#
        ).messages()
        #expect(messages.count == 1)
        #expect(messages.first?.contains("no system is there") == true)
    }

    /// A policy file in which one thing was changed.
    private func problems(_ find: String, _ replacement: String) throws -> [String] {
        let fixture = try fixture(ProfileFixture.workload)
        let path = try #require(Self.shipped.pathOfPreset(.os, named: "android-14"))
        let text = try Self.shipped.document(at: path).text
        #expect(text.contains(find))
        try fixture.write(
            "profiles/os/changed.jsonc",
            text.replacingOccurrences(of: find, with: replacement)
        )
        return FileCheck.check(
            fixture.folder + "/profiles/os/changed.jsonc",
            in: fixture.library
        ).problems.map(\.description)
    }

    @Test func `a figure without a source is an error`() throws {
        let messages = try problems("\"suspension.after\":", "\"suspension.before\":")
        #expect(messages.contains { $0.contains("\"suspension.after\" does not say where") })
        let stray = "\"suspension.before\", which the policy does not"
        #expect(messages.contains { $0.contains(stray) })
    }

    @Test(arguments: [
        ("\"after\": \"10s\"", "\"after\": \"10 sheep\"", "10 sheep"),
        ("\"overrun\": \"suspend\"", "\"overrun\": \"scold\"", "scold"),
        ("\"since\": \"12h\"", "\"since\": \"72h\"", "order them by"),
        ("\"longest\": \"15min\"", "\"longest\": \"1min\"", "longest of at least"),
        ("\"ceiling\": \"5h\"", "\"ceiling\": \"5s\"", "ceiling of at least"),
        ("\"buffer\":", "\"bufer\":", "buffer"),
    ])
    func `a mistake in a policy is told`(find: String, replacement: String, told: String) throws {
        let messages = try problems(find, replacement)
        #expect(messages.contains { $0.contains(told) }, "\(messages)")
    }
}
