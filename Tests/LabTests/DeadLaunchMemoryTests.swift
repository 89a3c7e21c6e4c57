import Lab
import Measurements
import Profiles
import Quantities
import SQLiteStore
import SimulationKernel
import Testing

/// What killed launches held of SQLite, in a process that has put its arena under it.
@Suite struct DeadLaunchMemoryTests {
    /// Bytes of the arena after a run in which the app is killed so many times, every 300 ms.
    static func reserved(kills: Int) throws -> Int {
        var options = SeedRunner.Options()
        options.plan = FaultPlan.numbered(
            (0..<kills).map {
                FaultEntry(
                    .killProcess(relaunch: .milliseconds(100)),
                    .at(.milliseconds(1_000 + 300 * $0))
                )
            },
            from: 0
        )
        let runner = SeedRunner(
            scenario: try LabRuns.scenario("two-messages"),
            setup: WorldSetup(app: MessengerApp.factory)
        )
        let run = try runner.run(seed: 1, options: options)
        precondition(run.result.faults.allSatisfy { $0.fired > 0 }, "\(run.result.faults)")
        return SQLiteHeap.reservedBytes
    }

    // Two connections a launch, each with a page cache of 20 pages (SQLITE_DEFAULT_PCACHE_INITSZ) of 4 KiB and
    // what it read: above 160 KiB a launch, so above 4 MB for 28 if they stayed. The arena grows by 1 MiB.
    @Test func `thirty launches hold no more than one, but for a step of the arena`() async {
        await #expect(processExitsWith: .success) {
            guard SQLiteHeap.install() else { return }
            let plain = try DeadLaunchMemoryTests.reserved(kills: 0)
            let many = try DeadLaunchMemoryTests.reserved(kills: 28)
            precondition(plain > 0 && many - plain <= 1 << 20, "\(plain), \(many)")
        }
    }
}
