import Lab
import Measurements
import Profiles
import Testing

/// What happens to a file that is to be sent, found from the generic profile.
@Suite struct UploadDeedHuntTests {
    private static let deeds: Set<FaultKind> = [
        .uploadCancel, .uploadRetry, .sourceChanged, .sourceRemoved,
    ]

    /// Each deed by itself in a world of `messages-and-upload`, as it is asked for.
    private static func outcomes(
        _ app: @escaping AppFactory,
        _ kinds: Set<FaultKind>,
        step: Int = 1
    ) throws -> [() throws -> (fault: FaultEntry, breaches: [GuaranteeBreach])] {
        let runner = SeedRunner(
            scenario: try LabRuns.scenario("messages-and-upload"),
            setup: WorldSetup(app: app)
        )
        let trial = PlanTrial(runner)
        let pool = try HuntPool(trial.census()).all.filter { kinds.contains($0.kind) }
        return stride(from: 0, to: pool.count, by: step).map { index in
            {
                let plan = FaultPlan(profile: trial.profile, seed: 1, faults: [pool[index]])
                return (pool[index], try trial.run(plan).breaches)
            }
        }
    }

    /// Each defect with the one deed that shows it, and the guarantee that breaks.
    @Test(arguments: [
        (TwinDefects.cancelLeavesRetry, FaultKind.uploadCancel, GuaranteeName.createdOnce),
        (.changeNotSeen, .sourceChanged, .bytesIdentical),
        (.missingFileWaitedFor, .sourceRemoved, .settles),
    ])
    func `a defect that only such a deed shows is shown by it alone`(
        defect: TwinDefects,
        deed: FaultKind,
        guarantee: GuaranteeName
    ) throws {
        let isShown = try Self.outcomes(LabRuns.twins(defect), [deed]).contains { run in
            try run().breaches.contains { $0.guarantee == guarantee }
        }
        #expect(isShown)
    }

    // Some three hundred plans come before these deeds: in the wide sweep alone.
    @Test(
        .enabled(if: Sweep.isWide),
        arguments: [TwinDefects.cancelLeavesRetry, .changeNotSeen, .missingFileWaitedFor]
    )
    func `a hunt finds it and shrinks it to two faults at most`(defect: TwinDefects) throws {
        let outcome = try TwinHuntTests.hunt(LabRuns.twins(defect), .init(plans: 4_000))
        let finding = try #require(outcome.finding, "not found in \(outcome.runs) runs")
        #expect(finding.plan.faults.count <= 2, "\(finding.plan.text)")
        #expect(finding.plan.faults.contains { Self.deeds.contains($0.kind) })
        #expect(finding.isMinimal)
    }

    @Test(arguments: [true, false])
    func `modules without a defect keep their promises under each of them`(isShipped: Bool) throws {
        let app = isShipped ? MessengerApp.factory : LabRuns.twins([])
        let runs = try Self.outcomes(app, Self.deeds, step: Sweep.isWide ? 1 : 4)
        #expect(!runs.isEmpty)
        for run in runs {
            let (fault, breaches) = try run()
            #expect(breaches.map(\.message) == [], "\(fault.planText)")
        }
    }

    @Test func `a hunt tries them only where a file is sent`() throws {
        let runner = SeedRunner(scenario: try LabRuns.scenario("two-messages"))
        let pool = HuntPool(try PlanTrial(runner).census())
        #expect(!pool.all.contains { $0.kind.isOfUpload })
    }
}
