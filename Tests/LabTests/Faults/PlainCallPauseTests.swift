import Lab
import Measurements
import Profiles
import Testing

/// A server's Retry-After and calls that no outbox sends: it holds for the next process too.
@Suite struct PlainCallPauseTests {
    private static func runner(
        _ profile: String,
        _ app: @escaping AppFactory = MessengerApp.factory
    ) throws -> SeedRunner {
        let scenario =
            try profile == "session" ? LabRuns.scenario(profile) : LabRuns.testScenario(profile)
        return SeedRunner(scenario: scenario, setup: WorldSetup(app: app))
    }

    @Test func `an app that forgets it as the process dies is found and shrunk to one fault`()
        throws
    {
        let hunt = Hunt(try Self.runner("asked-to-wait", LabRuns.forgetfulCaller))
        let outcome = try hunt.run(.init(plans: 2_000))
        let finding = try #require(outcome.finding, "not found in \(outcome.runs) runs")
        #expect(finding.breach.guarantee == .clientProtocol)
        #expect(finding.breach.message.contains("Retry-After"), "\(finding.breach.message)")
        #expect(finding.plan.faults.count == 1, "\(finding.plan.text)")
    }

    @Test func `the shipped app keeps it through any single fault`() throws {
        let trial = PlanTrial(try Self.runner("asked-to-wait"))
        let pool = HuntPool(try trial.census()).all
        for fault in stride(from: 3, to: pool.count, by: 12).map({ pool[$0] }) {
            let plan = FaultPlan(profile: trial.profile, seed: 1, faults: [fault])
            let breaches = try trial.run(plan).breaches.map(\.message)
            #expect(breaches == [], "\(fault.planText)")
        }
    }

    // An outage from 0.8 s asks the screens of 1 s to come again after 10 s. The backup is of 0.7 s, so the phone
    // that is made of it at 4 s, and opens the app at 6 s, has not heard of that when a screen opens at 9.5 s.
    @Test func `a phone made of a backup is not held to what came after that`() throws {
        let trial = PlanTrial(try Self.runner("session"))
        let outage = FaultEffect.refuse(
            status: 503,
            retryAfter: .seconds(10),
            route: nil,
            for: .seconds(25)
        )
        let replaced = FaultEffect.restoreBackup(taken: .milliseconds(700), relaunch: .seconds(2))
        let plan = FaultPlan(
            profile: trial.profile,
            seed: 1,
            faults: FaultPlan.numbered(
                [
                    FaultEntry(outage, .at(.milliseconds(800))),
                    FaultEntry(replaced, .at(.seconds(4))),
                ],
                from: 0
            )
        )
        let outcome = try trial.run(plan)
        #expect(outcome.fates == [.fired, .fired])
        #expect(outcome.breaches.map(\.message) == [])
    }
}
