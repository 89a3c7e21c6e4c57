import Budgets
import Lab
import Measurements
import Profiles
import Testing

/// The commute on the shipped modules, and on twins that are broken in one place each.
@Suite struct CommuteTests {
    @Test func `the shipped modules keep every guarantee on a commute`() throws {
        let seeds = Sweep.seeds(quick: 1, wide: 3)
        let run = try LabRuns.run(LabRuns.scenario("commute"), seeds: seeds)
        #expect(run.breaches.isEmpty, "\(run.breaches.map(\.message))")
        for name in ["outbox.lost", "outbox.duplicated", "outbox.reordered", "upload.corrupt"] {
            for seed in run.seeds {
                #expect(seed.value(of: MetricName(name)) == 0, "\(name), seed \(seed.seed)")
            }
        }
        let fired = run.seeds.flatMap(\.faults)
        #expect(!fired.isEmpty && fired.allSatisfy { $0.fired > 0 }, "\(fired)")
    }

    @Test func `a seed gives the same run twice in one process, and another seed another`() throws {
        let scenario = try LabRuns.scenario("commute")
        let first = try LabRuns.run(scenario, seeds: [4, 5]).seeds
        let second = try LabRuns.run(scenario, seeds: [4]).seeds
        #expect(first.first?.fingerprint == second.first?.fingerprint)
        #expect(first.first?.metrics == second.first?.metrics)
        #expect(Set(first.map(\.fingerprint)).count == 2)
    }

    @Test func `the twins without a defect keep every guarantee`() throws {
        let run = try LabRuns.run(
            LabRuns.scenario("commute"),
            seeds: Sweep.seeds(quick: 1, wide: 2),
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
        // One of three seeds has to show it; the first that does ends the search.
        var broken: Set<GuaranteeName> = []
        for seed in 1...3 as ClosedRange<UInt64> where !broken.contains(guarantee) {
            let run = try LabRuns.run(
                LabRuns.scenario("commute"),
                seeds: [seed],
                app: LabRuns.twins(defect)
            )
            #expect(run.breaches.isEmpty || run.verdict.outcome == .guaranteeBroken)
            #expect(run.breaches.allSatisfy { !$0.message.isEmpty })
            broken.formUnion(run.breaches.map(\.guarantee))
        }
        #expect(broken.contains(guarantee), "broken: \(broken.map(\.text).sorted())")
    }
}
