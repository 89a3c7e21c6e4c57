import PhoneModel
import Quantities
import SQLiteStore
import SimulationKernel
import Testing

/// What blocking calls cost, and what a kill takes back of them.
@Suite struct DiskLagTests {
    /// F18: 1,000 inserts at 2 ms a sync.
    ///
    /// WAL/FULL makes one sync a commit, 2 ms x 1,000 = 2.0 s, and a few for the checkpoint that
    /// the default of 1,000 pages brings about. DELETE/FULL makes four: the journal twice, its
    /// folder once, the database once, 8 ms x 1,000 = 8.0 s. One transaction makes one sync.
    @Test func `a thousand commits cost two seconds in WAL, eight in DELETE, and 2 ms as one`()
        throws
    {
        let wal = try cost(.wal) { connection in
            for id in 1...1_000 { try connection.execute("INSERT INTO t VALUES (?)", id) }
        }
        #expect((1_980...2_020).contains(wal.milliseconds))
        #expect((1_000...1_010).contains(wal.syncs), "\(wal.syncs)")
        let together = try cost(.wal) { connection in
            try connection.transaction {
                for id in 1...1_000 { try connection.execute("INSERT INTO t VALUES (?)", id) }
            }
        }
        #expect(together.lag == .milliseconds(2))
        #expect(together.syncs == 1)
        let delete = try cost(.delete) { connection in
            for id in 1...1_000 { try connection.execute("INSERT INTO t VALUES (?)", id) }
        }
        #expect(delete.lag == .seconds(8))
        #expect(delete.syncs == 4_000)
    }

    private struct Cost {
        var lag: Duration
        var syncs: Int
        var milliseconds: Int64 { lag.wholeNanoseconds / 1_000_000 }
    }

    private func cost(
        _ mode: SQLiteConfiguration.JournalMode,
        _ body: (SQLiteConnection) throws -> Void
    ) throws -> Cost {
        let rig = DiskRig(.ideal(syncing: .milliseconds(2)))
        let process = rig.launch()
        let connection = try process.connect(
            "/data/a.sqlite",
            SQLiteConfiguration(journalMode: mode, synchronous: .full)
        )
        try connection.executeScript(
            "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (0)"
        )
        let lag = process.lag
        let syncs = rig.disk.usage.syncs
        try body(connection)
        return Cost(lag: process.lag - lag, syncs: rig.disk.usage.syncs - syncs)
    }

    /// Five commits end at 10, 20, 30, 40 and 50 ms; a kill at 35 ms leaves three.
    ///
    /// In WAL mode the fourth's frames went into the page cache at 30 ms, before its sync, and a
    /// killed process's page cache stays: it is kept, though nobody was told. In DELETE mode the
    /// fourth's pages follow the third of its four syncs, at 37.5 ms, and are rolled back.
    @Test func `a kill takes back the commits that its process had stamped later`() throws {
        for mode in [SQLiteConfiguration.JournalMode.wal, .delete] {
            let rig = DiskRig(
                .ideal(syncing: mode == .wal ? .milliseconds(10) : .microseconds(2_500))
            )
            let process = rig.launch()
            let connection = try process.connect(
                "/data/a.sqlite",
                SQLiteConfiguration(journalMode: mode, synchronous: .full)
            )
            try connection.executeScript(
                "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (0)"
            )
            process.settleLag()
            let start = rig.now
            for id in 1...5 { try connection.execute("INSERT INTO t VALUES (?)", id) }
            #expect(process.lag == .milliseconds(50))
            rig.disk.processDied(process.client, at: start + .milliseconds(35))

            let again = try rig.launch().connect("/data/a.sqlite")
            #expect(try again.integrityProblems().isEmpty)
            let kept = try again.statement("SELECT max(id) FROM t").first { $0.integer(at: 0) }
            #expect(kept == (mode == .wal ? 4 : 3), "\(mode)")
            #expect(rig.disk.usage.syncs >= 3)
        }
    }

    @Test func `a lock that was held until later in another's time is waited for`() throws {
        let rig = DiskRig(.ideal(syncing: .milliseconds(10)))
        let setting = SQLiteConfiguration(busyTimeout: .seconds(1))
        let a = rig.launch()
        let b = rig.launch()
        let first = try a.connect("/data/a.sqlite", setting)
        try first.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY)")
        a.settleLag()
        let second = try b.connect("/data/a.sqlite", setting)
        b.settleLag()
        // A commits three times in one call: it holds the write lock for most of 30 ms to come.
        for id in 1...3 { try first.execute("INSERT INTO t VALUES (?)", id) }
        #expect(a.lag == .milliseconds(30))
        try second.execute("INSERT INTO t VALUES (4)")
        #expect(b.lag >= .milliseconds(40), "B wrote \(b.lag) after the call, before A was done")
        #expect(b.lag < .milliseconds(200))
        #expect(try second.statement("SELECT count(*) FROM t").first { $0.integer(at: 0) } == 4)
    }

    @Test func `without a busy timeout the second process is refused`() throws {
        let rig = DiskRig(.ideal(syncing: .milliseconds(10)))
        let setting = SQLiteConfiguration(busyTimeout: .zero)
        let a = rig.launch()
        let first = try a.connect("/data/a.sqlite", setting)
        try first.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY)")
        a.settleLag()
        let second = try rig.launch().connect("/data/a.sqlite", setting)
        try first.execute("INSERT INTO t VALUES (1)")
        let refused = #expect(throws: SQLiteError.self) {
            try second.execute("INSERT INTO t VALUES (2)")
        }
        #expect(refused?.isBusy == true)
        a.settleLag()
        try second.execute("INSERT INTO t VALUES (2)")
    }

    @Test func `what another process has built upon outlives the kill`() throws {
        let rig = DiskRig(.ideal(syncing: .milliseconds(10)))
        let setting = SQLiteConfiguration(busyTimeout: .seconds(1))
        let a = rig.launch()
        let b = rig.launch()
        let first = try a.connect("/data/a.sqlite", setting)
        try first.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY)")
        a.settleLag()
        let second = try b.connect("/data/a.sqlite", setting)
        b.settleLag()
        let start = rig.now
        try first.execute("INSERT INTO t VALUES (1)")
        try second.execute("INSERT INTO t VALUES (2)")
        rig.disk.processDied(a.client, at: start + .milliseconds(1))
        try second.execute("INSERT INTO t VALUES (3)")
        #expect(try second.integrityProblems().isEmpty)
        #expect(try second.statement("SELECT count(*) FROM t").first { $0.integer(at: 0) } == 3)
    }

    @Test func `what nobody has seen is undone while another process goes on`() throws {
        let rig = DiskRig(.ideal(syncing: .milliseconds(10)))
        let setting = SQLiteConfiguration(busyTimeout: .seconds(1))
        let a = rig.launch()
        let b = rig.launch()
        let first = try a.connect("/data/a.sqlite", setting)
        try first.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY)")
        a.settleLag()
        let second = try b.connect("/data/a.sqlite", setting)
        try second.execute("INSERT INTO t VALUES (1)")
        b.settleLag()
        let start = rig.now
        for id in 2...6 { try first.execute("INSERT INTO t VALUES (?)", id) }
        rig.disk.processDied(a.client, at: start + .milliseconds(25))
        rig.advance(by: .milliseconds(25))
        #expect(try second.integrityProblems().isEmpty)
        let ids = try second.statement("SELECT id FROM t ORDER BY id").all { $0.integer(at: 0) }
        // 2 was done at 10 ms, 3 at 20 ms, and 4's frames were in the page cache by then.
        #expect(ids == [1, 2, 3, 4])
        try second.execute("INSERT INTO t VALUES (9)")
        #expect(try rig.launch().connect("/data/a.sqlite").integrityProblems().isEmpty)
    }
}
