import ClientModules
import Lab
import Measurements
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Synchronization
import Testing

/// `storage.rows_kept`: what a store has committed is there after every start, as its entry promises.
@Suite struct RowHuntTests {
    /// How a database is opened, on which disk, and what it promises.
    struct Store: Sendable, CustomTestStringConvertible {
        var journal = InsertAction.Journal.wal
        var synchronous = InsertAction.Synchronous.full
        var usesFullSync = false
        var disk = DiskProfile.f2fsOnUFS
        var survives = InsertAction.Survival.powerLoss

        var testDescription: String {
            "\(journal)/\(synchronous)\(usesFullSync ? "/fullfsync" : "") on \(disk.name), "
                + "survives \(survives.rawValue)"
        }

        /// Three rows in three transactions: the shipped profile of two, a little longer.
        func scenario() throws -> Scenario {
            var scenario = try LabRuns.scenario("two-rows")
            scenario.conditions.device.disk = disk
            for index in scenario.scenario.workload.indices {
                scenario.scenario.workload[index].action = .insertRows(
                    InsertAction(
                        rows: 3,
                        rowsPerTransaction: 1,
                        rowSize: .bytes(100),
                        journal: journal,
                        synchronous: synchronous,
                        usesFullSync: usesFullSync,
                        survives: survives
                    )
                )
            }
            return scenario
        }
    }

    private func hunt(
        _ store: Store,
        plans: Int,
        app: @escaping AppFactory = MessengerApp.factory
    ) throws -> Hunt.Outcome {
        try HashingCheck.require(line: "scripts/test")
        let runner = SeedRunner(scenario: try store.scenario(), setup: WorldSetup(app: app))
        return try Hunt(runner).run(.init(plans: plans))
    }

    // What loses rows when the power goes: sqlite.org/pragma.html#pragma_synchronous; Apple's disks order what is
    // synced without F_FULLFSYNC and do not keep it.
    @Test(arguments: [
        Store(synchronous: .normal), Store(synchronous: .off),
        Store(journal: .delete), Store(journal: .delete, synchronous: .off), Store(disk: .apfs),
        Store(disk: .lying),
    ])
    func `a store that promises more than its settings keep is found by one fault`(
        store: Store
    ) throws {
        let outcome = try hunt(store, plans: 4_000)
        let finding = try #require(outcome.finding, "not found in \(outcome.runs) runs")
        #expect(finding.breach.guarantee == .rowsKept, "\(finding.breach.message)")
        #expect(finding.breach.message.contains("after the loss of power"))
        #expect(finding.plan.faults.count == 1, "\(finding.plan.text)")
        #expect(finding.plan.faults.allSatisfy { $0.effect.kind == .powerLoss })
    }

    @Test(arguments: [
        Store(), Store(synchronous: .normal, survives: .kill),
        Store(journal: .delete, synchronous: .extra), Store(usesFullSync: true, disk: .apfs),
    ])
    func `a store that promises what its settings keep gives no false alarm`(
        store: Store
    ) throws {
        let outcome = try hunt(store, plans: 400)
        #expect(outcome.finding?.breach.message == nil, "\(outcome.finding?.plan.text ?? "")")
        #expect(outcome.runs == 400)
    }

    /// Says that rows are committed before it begins.
    private final class HastyApp: LabApp {
        private let app: any LabApp
        private let launch: LaunchContext
        private let said = Mutex(0)

        init(_ launch: LaunchContext) throws {
            self.launch = launch
            app = try MessengerApp.factory(launch)
        }

        func run() async { await app.run() }

        func perform(_ action: AppAction) async throws {
            if launch.number == 1, case .insert(let insertion) = action {
                let rows = said.withLock { said in
                    said += insertion.rows
                    return said
                }
                launch.rowObserver(.committed(rows: rows, insertion.survives))
            }
            try await app.perform(action)
        }
    }

    @Test func `rows that are told before they are committed are found by one death`() throws {
        let outcome = try hunt(Store(survives: .kill), plans: 500) { try HastyApp($0) }
        let finding = try #require(outcome.finding)
        #expect(finding.breach.guarantee == .rowsKept)
        #expect(finding.plan.faults.count == 1, "\(finding.plan.text)")
    }

    private func run(_ faults: String) throws -> SeedRun {
        try HashingCheck.require(line: "scripts/test")
        let plan = try FaultPlanReader.read(
            text: """
                { "format": "onebar.plan/1", "profile": "two-rows", "seed": 1, "faults": [\(faults)] }
                """,
            path: "rows.plan.json"
        )
        var options = SeedRunner.Options()
        options.plan = plan.faults
        options.tellsStory = true
        let run = try SeedRunner(
            scenario: try Store().scenario(),
            setup: WorldSetup(app: MessengerApp.factory)
        ).run(seed: 1, options: options)
        #expect(run.result.faults.allSatisfy { $0.fired > 0 })
        return run
    }

    // Three rows at 0 s, three at 3 s; the phone of 5 s has those of 2 s, and they have to be there.
    @Test func `a phone that was made of a backup owes what is in it alone`() throws {
        let run = try run(
            #"{ "fault": "backup.restored", "at": "5s", "taken": "2s", "relaunch": "1s" }"#
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    // The database is locked with the device for 3 s around the start: it is looked at once that is over.
    @Test func `a database that cannot be read yet is read later`() throws {
        let run = try run(
            """
            { "fault": "process.kill", "at": "5s", "relaunch": "1s" },
            { "fault": "disk.locked", "at": "5500ms", "for": "3s" }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
        let looked = run.story.filter { $0.text.hasSuffix("rows in notes.sqlite: 6") }
        #expect(looked.count == 1)
        #expect(looked.allSatisfy { $0.instant >= .zero + .milliseconds(8_500) })
    }
}
