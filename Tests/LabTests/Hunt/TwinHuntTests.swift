import Lab
import Measurements
import Profiles
import Testing

/// Every defective twin is found from the generic profile, with no hint of where to look.
@Suite struct TwinHuntTests {
    static func hunt(
        _ app: @escaping AppFactory,
        _ limits: Hunt.Limits
    ) throws -> Hunt.Outcome {
        let runner = SeedRunner(
            scenario: try LabRuns.scenario("messages-and-upload"),
            setup: WorldSetup(app: app)
        )
        return try Hunt(runner).run(limits)
    }

    /// Each defect with the guarantees that may be seen to break first.
    @Test(arguments: [
        (TwinDefects.keyMadeAtSend, [GuaranteeName.exactlyOnce]),
        (.inFlightNotReset, [.exactlyOnce, .settles]),
        (.outboxRowAfterLocalRow, [.exactlyOnce]),
        (.poisonBlocksQueue, [.exactlyOnce, .settles]),
        (.noBackoffAfter503, [.clientProtocol]),
        (.cleanupInDeferReliedUpon, [.exactlyOnce, .settles]),
        (.offsetTrustedWithoutHEAD, [.settles, .clientProtocol]),
        (.createdAgainAfterRelaunch, [.createdOnce]),
        (.progressFromSocketBytes, [.progressHonest]),
        (.unansweredThrownAsFailed, [.exactlyOnce]),
        (.everyProcessSends, [.clientProtocol]),
        (.keyNamesProcess, [.exactlyOnce]),
    ])
    func `a defective twin is found and shrunk to two faults at most`(
        defect: TwinDefects,
        guarantees: [GuaranteeName]
    ) throws {
        let outcome = try Self.hunt(LabRuns.twins(defect), .init(plans: 4_000))
        let finding = try #require(outcome.finding, "not found in \(outcome.runs) runs")
        #expect(guarantees.contains(finding.breach.guarantee), "\(finding.breach.message)")
        #expect(finding.plan.faults.count <= 2, "\(finding.plan.text)")
        #expect(finding.isMinimal)
        #expect(!finding.story.isEmpty)
    }

    // Each loses the answer to one request. The right twin throws what the transport said, which leaves it open.
    @Test(arguments: [TwinDefects.unansweredThrownAsFailed, .unansweredThrownAsIs])
    func `what is thrown as failed and has happened is held against an app`(
        defect: TwinDefects
    ) throws {
        let runner = SeedRunner(
            scenario: try LabRuns.scenario("two-messages"),
            setup: WorldSetup(app: LabRuns.twins(defect))
        )
        let trial = PlanTrial(runner)
        let messages = try HuntPool(trial.census()).lostResponses.flatMap { fault in
            try trial.run(FaultPlan(profile: trial.profile, seed: 1, faults: [fault])).breaches
        }.map(\.message)
        #expect(messages.isEmpty == (defect == .unansweredThrownAsIs), "\(messages)")
        #expect(messages.allSatisfy { $0.contains("failed (it threw NotSent())") }, "\(messages)")
    }

    /// A modest part of the schedule: the whole of it takes minutes in a debug build.
    @Test(arguments: [true, false])
    func `modules without a defect give no false alarm`(isShipped: Bool) throws {
        let app = isShipped ? MessengerApp.factory : LabRuns.twins([])
        let outcome = try Self.hunt(app, .init(plans: 300))
        let finding = outcome.finding
        #expect(
            finding == nil,
            """
            \(finding?.breach.message ?? "")
            \(finding?.plan.text ?? "")
            \((finding?.story ?? []).map { "\($0.instant) \($0.text)" }.joined(separator: "\n"))
            """
        )
        #expect(outcome.runs == 300)
    }
}
