import Foundation
import Profiles
import Testing

/// The profiles that ship: each reads, says what it is about, and has no warning.
@Suite struct ShippedProfileTests {
    static let library = ProfileLibrary(
        folders: [ProfileLibrary.sourceTree + "/profiles"],
        workingDirectory: ProfileLibrary.sourceTree
    )

    @Test func `all profiles of the design ship`() {
        let names = Self.library.profileNames()
        for name in [
            "airplane-mode", "background-kill", "commute", "commute-no-faults", "day-in-the-life",
            "elevator", "hotel-captive-wifi", "low-memory-fling", "messages-and-upload", "mixed",
            "phone-fleet", "pocket-day", "session", "thundering-herd", "two-messages", "two-rows",
            "textbook/F1", "textbook/F2", "textbook/F3", "textbook/F4", "textbook/F5",
            "textbook/F6", "textbook/F7", "textbook/F7-no-jitter", "textbook/F8",
            "textbook/F8-budget", "textbook/F9", "textbook/F12-restart", "textbook/F12-1mb",
            "textbook/F12-256kib", "textbook/F13", "textbook/F14", "textbook/F16-cancelled",
            "textbook/F16-not-cancelled", "textbook/F17-60hz", "textbook/F17-120hz",
            "textbook/F17-block", "textbook/F18-wal", "textbook/F18-delete",
            "textbook/F18-one-transaction", "textbook/F19", "textbook/F19-originals",
            "textbook/F19-variants",
        ] {
            #expect(names.contains(name), "\(name)")
        }
        // People's order, not the alphabet's: F2 before F12.
        let textbook = names.filter { $0.hasPrefix("textbook/F") }
        #expect(textbook.prefix(3) == ["textbook/F1", "textbook/F2", "textbook/F3"])
    }

    @Test(arguments: ShippedProfileTests.library.profileNames())
    func `a shipped profile reads without a problem`(name: String) throws {
        let result = FileCheck.check(name, in: Self.library)
        #expect(result.problems.isEmpty, "\(result.problems)")
        let scenario = try ScenarioReader.scenario(name, in: Self.library)
        #expect(scenario.name == name)
        #expect(scenario.summary.first?.isEmpty == false)
        #expect(!scenario.tags.isEmpty)
        #expect(!scenario.scenario.budgets.isEmpty)
    }

    @Test(arguments: ShippedProfileTests.library.profileNames().filter { $0.contains("/F") })
    func `a textbook profile names its figure and derives it`(name: String) throws {
        let scenario = try ScenarioReader.scenario(name, in: Self.library)
        let figure = name.dropFirst("textbook/".count).prefix { $0 != "-" }
        #expect(scenario.summary.first?.hasPrefix("\(figure):") == true)
        // A derivation has an equation in it.
        #expect(scenario.summary.dropFirst().contains { $0.contains(" = ") })
    }
}
