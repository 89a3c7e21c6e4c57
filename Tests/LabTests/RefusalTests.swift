import Budgets
import Lab
import Measurements
import Profiles
import Testing

/// What an outbox does when the server says no: for good, or for now.
@Suite struct RefusalTests {
    @Test func `a message that is refused for good does not stop the others`() throws {
        let run = try LabRuns.run(LabRuns.testScenario("poison"))
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
    }

    @Test func `an outbox that a poison entry blocks is found out`() throws {
        let run = try LabRuns.run(
            LabRuns.testScenario("poison"),
            app: LabRuns.twins(.poisonBlocksQueue)
        )
        #expect(run.verdict.outcome == .guaranteeBroken)
        let names = Set(run.breaches.map(\.guarantee))
        #expect(names.contains(.exactlyOnce) || names.contains(.settles))
        #expect(run.breaches.contains { $0.message.contains("m3") || $0.message.contains("m4") })
    }

    @Test func `an outage of half a minute costs few attempts`() throws {
        let run = try LabRuns.run(LabRuns.testScenario("outage"))
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
    }

    /// Found by a hunt: after a boot the monotonic clock says nothing of a wait that was stored before.
    ///
    /// The first message is answered with 503 and Retry-After: 5 s at about 0.3 s; the phone loses power at
    /// 1.8 s and runs again at 3.8 s, when half of the wait is left.
    @Test func `what a server asked for is waited for across a boot`() throws {
        let faults = #"""
            [{ "fault": "server.error", "nth": 1, "status": 503, "retry_after": "5s", "times": 1 },
             { "fault": "power.loss", "at": "1800ms", "relaunch": "2s" }]
            """#
        let change = try #require(ProfileOverride(key: "faults", value: faults))
        let run = try LabRuns.run(
            ScenarioReader.scenario("messages-and-upload", overrides: [change])
        )
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
    }

    /// The fifth commit is the one that keeps the wait, and the kill cuts it: no client could know.
    @Test func `a wait that a kill cut out of its commit is nobody's fault`() throws {
        let faults = #"""
            [{ "fault": "server.error", "nth": 1, "status": 503, "retry_after": "9s", "times": 1 },
             { "fault": "process.kill", "during": "outbox.commit", "nth": 5, "relaunch": "2s" }]
            """#
        let change = try #require(ProfileOverride(key: "faults", value: faults))
        let run = try LabRuns.run(
            ScenarioReader.scenario("messages-and-upload", overrides: [change])
        )
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
    }

    @Test func `retries without backoff break the budget of amplification and nothing else`() throws
    {
        let run = try LabRuns.run(
            LabRuns.testScenario("outage"),
            app: LabRuns.twins(.noBackoffAfter503)
        )
        #expect(run.breaches.isEmpty, "\(run.breaches.map(\.message))")
        #expect(run.verdict.outcome == .budgetBroken)
    }
}
