import Profiles
import Testing

@testable import Onebar

/// `ONEBAR_REPLAY` runs one test's plan; what the other tests say of it.
@Suite struct PlanReplayTests {
    @Test func `a test that the plan is not of runs nothing and says why`() {
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
        plan.test = nil
        #expect(PlanReplay(plan: plan, path: "p.json").refusal(of: other) == nil)
    }
}
