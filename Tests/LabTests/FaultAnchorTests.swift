import Budgets
import Lab
import Measurements
import Profiles
import Testing

/// Places that faults wait for, counted as their names say.
@Suite struct FaultAnchorTests {
    private func run(after anchor: String, nth: Int) throws -> ProfileRun {
        let fault =
            #"[{ "fault": "process.kill", "after": "\#(anchor)", "nth": \#(nth), "relaunch": "1s" }]"#
        let change = try #require(ProfileOverride(key: "faults", value: fault))
        return try LabRuns.run(
            ScenarioReader.scenario("messages-and-upload", overrides: [change])
        )
    }

    /// The profile has two messages and one upload: an upload is neither enqueued nor acknowledged here.
    @Test(arguments: ["outbox.enqueued", "outbox.acknowledged"])
    func `an anchor of the outbox counts messages and no uploads`(anchor: String) throws {
        for nth in 1...2 {
            let run = try run(after: anchor, nth: nth)
            #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
            #expect(run.seeds[0].faults[0].fired == 1)
        }
        let third = try run(after: anchor, nth: 3)
        #expect(third.seeds[0].faults[0].fired == 0)
        #expect(third.verdict.outcome == .nothingTested)
    }
}
