import PhoneModel
import Quantities
import SQLiteStore
import SimulationKernel
import Testing

/// A process, or the phone, that dies at each call of a short run in turn, between any two effects.
@Suite struct KillAtEveryCallTests {
    /// The pairs that promise to keep what they acknowledged, also at a power loss.
    static let safe: [SQLiteConfiguration] = [
        SQLiteConfiguration(journalMode: .wal, synchronous: .full, checkpointPages: 4),
        SQLiteConfiguration(journalMode: .delete, synchronous: .extra),
    ]

    @Test(arguments: safe)
    func `a kill at every call loses no acknowledged row and never corrupts`(
        configuration: SQLiteConfiguration
    ) throws {
        let found = try walk(configuration) { rig, process in
            rig.disk.processDied(process.client, at: process.time)
        }
        #expect(found.calls > 60, "the run is too short to be a test: \(found.calls) calls")
        #expect(found.problems.isEmpty, "\(found.problems)")
    }

    @Test(arguments: safe)
    func `a power loss at every call loses no acknowledged row and never corrupts`(
        configuration: SQLiteConfiguration
    ) throws {
        let found = try walk(configuration, losingPower)
        #expect(found.problems.isEmpty, "\(found.problems)")
    }

    /// The twin that never syncs: the walk must see what it breaks.
    @Test func `the walk catches a store that never syncs`() throws {
        let found = try walk(
            SQLiteConfiguration(journalMode: .wal, synchronous: .off, checkpointPages: 4),
            losingPower
        )
        #expect(found.problems.count > 10)
    }

    private func losingPower(_ rig: DiskRig, _ process: RigProcess) {
        var stream = RandomStream(key: UInt64(process.effects))
        rig.disk.powerLoss(at: rig.now, &stream)
    }

    /// Runs the workload once for each of its calls, dying there; says what was wrong afterwards.
    private func walk(
        _ configuration: SQLiteConfiguration,
        _ die: (DiskRig, RigProcess) -> Void
    ) throws -> (calls: Int, problems: [String]) {
        let whole = DiskRig()
        let calls = try run(whole, configuration, dyingAt: nil).process.effects
        whole.end()
        var problems: [String] = []
        for death in 1...calls {
            let rig = DiskRig()
            defer { rig.end() }
            let (process, acknowledged) = try run(rig, configuration, dyingAt: death)
            #expect(process.isDead, "call \(death) of \(calls) was never made")
            die(rig, process)
            if let problem = try judge(rig, configuration, acknowledged) {
                problems.append("call \(death): \(problem)")
            }
        }
        return (calls, problems)
    }

    private func run(
        _ rig: DiskRig,
        _ configuration: SQLiteConfiguration,
        dyingAt death: Int?
    ) throws -> (process: RigProcess, acknowledged: Int) {
        let process = rig.launch(dyingAt: death)
        var acknowledged = 0
        do {
            let connection = try process.connect("/data/a.sqlite", configuration)
            try connection.executeScript(
                "CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, p BLOB)"
            )
            for id in 1...4 {
                try connection.execute("INSERT INTO t VALUES (?, zeroblob(600))", id)
                guard !process.isDead else { break }
                acknowledged = id
            }
            connection.close()
        } catch let error as SQLiteError {
            #expect(process.isDead, "\(error)")
            let codes: [SQLiteResultCode] = [.inputOutput, .cannotOpen]
            #expect(codes.contains(error.code.primary), "\(error)")
        }
        return (process, acknowledged)
    }

    /// Rows are 1..n: all that were acknowledged, and at most the one that was cut off.
    private func judge(
        _ rig: DiskRig,
        _ configuration: SQLiteConfiguration,
        _ acknowledged: Int
    ) throws -> String? {
        do {
            let again = try rig.launch().connect("/data/a.sqlite", configuration)
            let damage = try again.integrityProblems()
            guard damage.isEmpty else { return "damaged: \(damage[0])" }
            let tables = try again.statement("SELECT count(*) FROM sqlite_master").first {
                $0.integer(at: 0)
            }
            guard tables == 1 else { return acknowledged == 0 ? nil : "the table is gone" }
            let ids = try again.statement("SELECT id FROM t ORDER BY id").all { $0.integer(at: 0) }
            guard ids == (0..<ids.count).map({ Int64($0 + 1) }) else { return "rows \(ids)" }
            guard (acknowledged...acknowledged + 1).contains(ids.count) else {
                return "\(acknowledged) promised, \(ids.count) kept"
            }
            return nil
        } catch let error as SQLiteError {
            return "\(error)"
        }
    }
}
