import Lab
import Profiles
import Testing

@testable import Onebar

/// `ONEBAR_REPLAY` runs one test's plan; what the other tests say of it.
@Suite struct PlanReplayTests {
    @Test func `a test that the plan is not of runs nothing and says why`() throws {
        var plan = FaultPlan(profile: "commute", seed: 1, faults: [])
        plan.test = "ChatTests/OutboxTests.swift a message arrives()"
        let replay = PlanReplay(plan: plan, path: "p.json")
        let own = TestPlace(file: "ChatTests/OutboxTests.swift", function: "a message arrives()")
        let other = TestPlace(file: "ChatTests/OutboxTests.swift", function: "two arrive()")
        #expect(replay.refusal(of: own) == nil)
        #expect(
            replay.refusal(of: other)
                == "not run: ChatTests/OutboxTests.swift two arrive(): ONEBAR_REPLAY names p.json, "
                + "a plan of ChatTests/OutboxTests.swift a message arrives()"
        )
        let runner = SeedRunner(scenario: try ScenarioReader.scenario("two-messages"))
        let report = try replay.run(runner, other)
        #expect(report.notRun == replay.refusal(of: other))
        #expect(report.runs == 0)
        plan.test = nil
        #expect(PlanReplay(plan: plan, path: "p.json").refusal(of: other) == nil)
    }

    @Test func `the line to replay a plan is read back by a shell as it was meant`() {
        let place = TestPlace(file: "ChatTests/Outbox Tests.swift", function: "it arrives()")
        #expect(
            place.replayLine("it's a/p.json")
                == #"ONEBAR_REPLAY='it'\''s a/p.json' SWIFT_DETERMINISTIC_HASHING=1 "#
                + "swift test --filter 'Outbox Tests.swift'"
        )
    }
}
