import PhoneModel
import Quantities
import SQLiteStore
import Testing

/// A process that dies at each call of a short run in turn, between any two effects.
@Suite struct KillAtEveryCallTests {
    static let modes: [SQLiteConfiguration.JournalMode] = [.wal, .delete]

    @Test(arguments: modes)
    func `a kill at every call of a short run loses no acknowledged row and never corrupts`(
        mode: SQLiteConfiguration.JournalMode
    ) throws {
        let length = try workload(mode, dyingAt: nil).effects
        #expect(length > 60, "the run is too short to be a test: \(length) calls")
        for death in 1...length {
            let ended = try workload(mode, dyingAt: death)
            #expect(ended.wasKilled, "call \(death) of \(length) was never made")
            let again = try ended.rig.launch().connect(
                "/data/a.sqlite",
                configuration(mode)
            )
            #expect(try again.integrityProblems().isEmpty, "killed at call \(death)")
            let kept =
                try again.statement("SELECT count(*) FROM sqlite_master").first {
                    $0.integer(at: 0)
                } ?? 0
            let ids =
                kept == 0
                ? [] : try again.statement("SELECT id FROM t ORDER BY id").all { $0.integer(at: 0) }
            // Rows are 1..n: at most the one whose acknowledgement was cut off is extra.
            #expect(ids == (0..<ids.count).map { Int64($0 + 1) }, "killed at call \(death)")
            #expect(
                (ended.acknowledged...ended.acknowledged + 1).contains(ids.count),
                "killed at call \(death): \(ended.acknowledged) promised, \(ids.count) kept"
            )
        }
    }

    private struct Ended {
        var rig: DiskRig
        var effects: Int
        var acknowledged: Int
        var wasKilled: Bool
    }

    private func workload(
        _ mode: SQLiteConfiguration.JournalMode,
        dyingAt death: Int?
    ) throws -> Ended {
        let rig = DiskRig()
        let process = rig.launch(dyingAt: death)
        var acknowledged = 0
        do {
            let connection = try process.connect("/data/a.sqlite", configuration(mode))
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
            #expect(
                error.code.primary == .inputOutput || error.code.primary == .cannotOpen,
                "\(error)"
            )
        }
        return Ended(
            rig: rig,
            effects: process.effects,
            acknowledged: acknowledged,
            wasKilled: process.isDead
        )
    }

    private func configuration(_ mode: SQLiteConfiguration.JournalMode) -> SQLiteConfiguration {
        SQLiteConfiguration(
            journalMode: mode,
            synchronous: mode == .delete ? .extra : .full,
            checkpointPages: 4
        )
    }
}
