import Profiles
import Quantities
import Testing

@testable import Lab

/// Where a hunt puts its faults.
@Suite struct HuntPoolTests {
    private func held(_ census: RunCensus) -> Set<String> {
        Set(
            HuntPool.storage(census).compactMap { entry in
                if case .holdDatabase(let name, _) = entry.effect { name } else { nil }
            }
        )
    }

    @Test func `a database is held by the name of its file, whatever that ends in`() {
        var census = RunCensus()
        census.anchors[FaultAnchor.appLaunched.rawValue] = 1
        census.operations = [
            RunCensus.Operation(
                launch: 1,
                verb: "write",
                subject: "notes.db-wal",
                nth: 1,
                instant: .zero,
                database: "notes",
                databaseFile: "store/notes.db",
                commit: 1,
                write: 1
            )
        ]
        #expect(held(census) == ["store/notes.db"])
    }

    @Test func `a run tells the files of its databases`() throws {
        let runner = SeedRunner(scenario: try LabRuns.scenario("two-messages"))
        let census = try PlanTrial(runner).census()
        #expect(held(census).contains("outbox.sqlite"))
        #expect(held(census).allSatisfy { !$0.hasSuffix("-wal") && !$0.hasSuffix("-journal") })
    }

    @Test(arguments: [("two-messages", false), ("messages-and-upload", true)])
    func `an app has a database for uploads where its workload sends a file`(
        profile: String,
        isThere: Bool
    ) throws {
        let runner = SeedRunner(
            scenario: try LabRuns.scenario(profile),
            setup: WorldSetup(app: MessengerApp.factory)
        )
        #expect(held(try PlanTrial(runner).census()).contains("uploads.sqlite") == isThere)
    }
}
