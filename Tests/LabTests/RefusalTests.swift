import Budgets
import Lab
import Measurements
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
