import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import Testing

/// What would have saved most, found in a run by running the ledger over changed traffic.
@Suite struct AdviceTests {
    private static func advice(_ text: String) throws -> [EnergyAdvice] {
        var found: [EnergyAdvice]?
        try TemporaryFolder.with { folder in
            let file = folder.appendingPathComponent("p.jsonc")
            try Data(text.utf8).write(to: file)
            var options = SeedRunner.Options()
            options.findsAdvice = true
            let run = try LabRuns.run(try ScenarioReader.scenario(file.path), options: options)
            found = run.seeds.first?.advice
        }
        return try #require(found)
    }

    // Alone, a fetch of 0.3 s costs (0.3 + 10) s x 0.5 W = 5.15 J; on a push it adds 0.15 J. Four
    // fetches a minute after a push each, with another push within the quarter hour: 4 x 5 J saved.
    @Test func `fetches that could ride on a push are told so, with the joules`() throws {
        let advice = try Self.advice(
            """
            { "onebar": 1, "device": "android-mid", "radio": "textbook",
              "network": { "over": "cellular", "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" },
              "other_apps": [{ "owner": "push", "every": "5min", "count": 6, "lasts": "1s" }],
              "workload": [{ "do": "radio.activity", "at": ["1min", "7min", "11min", "17min"],
                             "lasts": "0.3s", "owner": "fetch", "cause": "timer" }],
              "run": { "seeds": 1, "for": "30min", "settle": "0s" } }
            """
        )
        let ride = try #require(advice.first)
        #expect(
            ride.message
                == "let 4 transfers of fetch wait (15 min at most) and ride on whatever comes next"
        )
        #expect(abs(ride.savedNanojoules - 20_000_000_000) < 1_000_000)
        #expect(!advice.contains { $0.message.contains("push") }, "another app cannot be told")
    }

    // Three activities of 1 s, 15 s apart: each 11 s x 0.5 W. At once: 3 s and one tail, 13 s x 0.5 W.
    @Test func `transfers within a minute are told to go at once, with the joules`() throws {
        let advice = try Self.advice(
            """
            { "onebar": 1, "device": "android-mid", "radio": "textbook",
              "network": { "over": "cellular", "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" },
              "workload": [{ "do": "radio.activity", "at": ["10s", "25s", "40s"], "lasts": "1s",
                             "owner": "sync", "cause": "timer" }],
              "run": { "seeds": 1, "for": "5min", "settle": "0s" } }
            """
        )
        let first = try #require(advice.first)
        #expect(first.message == "gather sync for up to a minute, send at once (2 transfers move)")
        #expect(abs(first.savedNanojoules - 10_000_000_000) < 1_000_000)
    }

    @Test func `without being asked, nothing is searched`() throws {
        let run = try LabRuns.run(LabRuns.testScenario("short"))
        #expect(run.seeds.first?.advice == nil)
    }
}
