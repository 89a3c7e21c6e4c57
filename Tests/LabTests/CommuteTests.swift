import Budgets
import Lab
import Measurements
import Profiles
import Testing

/// The commute on the shipped modules, and on twins that are broken in one place each.
@Suite struct CommuteTests {
    @Test func `the shipped modules keep every guarantee on a commute`() throws {
        let run = try LabRuns.run(LabRuns.scenario("commute"), seeds: [1, 2, 3])
        #expect(run.breaches.isEmpty, "\(run.breaches.map(\.message))")
        for name in ["outbox.lost", "outbox.duplicated", "outbox.reordered", "upload.corrupt"] {
            for seed in run.seeds {
                #expect(seed.value(of: MetricName(name)) == 0, "\(name), seed \(seed.seed)")
            }
        }
        let fired = run.seeds.flatMap(\.faults)
        #expect(!fired.isEmpty && fired.allSatisfy { $0.fired > 0 }, "\(fired)")
    }

    @Test func `the same seed gives the same run twice in one process`() throws {
        let scenario = try LabRuns.scenario("commute")
        let first = try LabRuns.run(scenario, seeds: [4]).seeds
        let second = try LabRuns.run(scenario, seeds: [4]).seeds
        #expect(first.map(\.fingerprint) == second.map(\.fingerprint))
        #expect(first.map(\.metrics) == second.map(\.metrics))
    }

    @Test func `two seeds give different runs`() throws {
        let scenario = try LabRuns.scenario("commute")
        let runs = try LabRuns.run(scenario, seeds: [4, 5]).seeds
        #expect(Set(runs.map(\.fingerprint)).count == 2)
    }

    @Test func `the twins without a defect keep every guarantee`() throws {
        let run = try LabRuns.run(
            LabRuns.scenario("commute"),
            seeds: [1, 2],
            app: LabRuns.twins([])
        )
        #expect(run.breaches.isEmpty, "\(run.breaches.map(\.message))")
    }

    @Test(arguments: [
        (TwinDefects.keyMadeAtSend, GuaranteeName.exactlyOnce),
        (.offsetTrustedWithoutHEAD, .settles),
        (.createdAgainAfterRelaunch, .createdOnce),
        (.progressFromSocketBytes, .progressHonest),
    ])
    func `a commute finds out a broken twin and names the guarantee`(
        defect: TwinDefects,
        guarantee: GuaranteeName
    ) throws {
        let run = try LabRuns.run(
            LabRuns.scenario("commute"),
            seeds: [1, 2, 3],
            app: LabRuns.twins(defect)
        )
        #expect(run.verdict.outcome == .guaranteeBroken)
        let breach = run.breaches.first { $0.guarantee == guarantee }
        #expect(breach != nil, "broken: \(Set(run.breaches.map(\.guarantee.text)).sorted())")
        #expect(breach?.message.isEmpty == false)
    }
}
