import Foundation
import Profiles
import Testing

/// Whatever a report of a shipped profile names, `onebar explain` knows.
@Suite struct MetricNamesTests {
    static let library = ProfileLibrary(
        folders: [ProfileLibrary.sourceTree + "/profiles"],
        workingDirectory: ProfileLibrary.sourceTree
    )

    /// One seed of each; variants of one textbook figure print the same names.
    static var profiles: [String] {
        library.profileNames().filter { !$0.hasPrefix("textbook/") || !$0.contains("-") }
    }

    @Test(arguments: MetricNamesTests.profiles)
    func `every metric of a shipped profile is explained`(profile: String) throws {
        try ToolTests.withFolder { folder in
            // A smaller crowd prints the same names.
            let fleet = try ScenarioReader.scenario(profile, in: Self.library).scenario.fleet
            let small = (fleet?.clients ?? 0) > 20 ? ["--set", "fleet.clients=20"] : []
            let run = try ToolTests.onebar(
                ["run", profile, "--seeds", "1", "--json", "--quiet", "--out", "r"] + small,
                in: folder
            )
            let object =
                try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any]
            let metrics = try #require(object?["metrics"] as? [String: Any], "\(run.error)")
            #expect(!metrics.isEmpty)
            let explained = try ToolTests.onebar(
                ["explain"] + metrics.keys.sorted(),
                in: folder
            )
            #expect(explained.status == 0, "\(explained.error)")
            for name in metrics.keys { #expect(explained.out.contains("\(name)\n"), "\(name)") }
        }
    }

    @Test func `a name that no metric has is not explained`() throws {
        try ToolTests.withFolder { folder in
            let ending = try ToolTests.onebar(["explain", "screen.placeholdr_ms"], in: folder)
            #expect(ending.status == 64)
            #expect(ending.error.contains("did you mean 'screen.placeholder_ms'?"))
        }
    }
}
