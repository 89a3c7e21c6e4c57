import PhoneModel
import Quantities
import SQLiteStore
import SimulationKernel
import Testing

/// SQLite's own behaviour over the phone's disk.
@Suite struct SQLiteOnDiskTests {
    static let modes: [SQLiteConfiguration.JournalMode] = [.wal, .delete]

    private static func configuration(
        _ mode: SQLiteConfiguration.JournalMode,
        busy: Duration = .zero
    ) -> SQLiteConfiguration {
        SQLiteConfiguration(
            journalMode: mode,
            synchronous: mode == .delete ? .extra : .full,
            busyTimeout: busy
        )
    }

    private func rows(_ connection: SQLiteConnection) throws -> [Int64] {
        try connection.statement("SELECT id FROM t ORDER BY id").all { $0.integer(at: 0) }
    }

    @Test(arguments: modes)
    func `rows come back after a close and a relaunch`(
        mode: SQLiteConfiguration.JournalMode
    ) throws {
        let rig = DiskRig()
        let first = try rig.launch().connect("/data/a.sqlite", Self.configuration(mode))
        try first.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY, p BLOB)")
        for id in 1...300 { try first.execute("INSERT INTO t VALUES (?, randomblob(500))", id) }
        first.close()
        let second = try rig.launch().connect("/data/a.sqlite", Self.configuration(mode))
        #expect(try rows(second) == (1...300).map { Int64($0) })
        #expect(try second.integrityProblems().isEmpty)
    }

    @Test(arguments: modes)
    func `a writer keeps another writer out until it commits`(
        mode: SQLiteConfiguration.JournalMode
    ) throws {
        let rig = DiskRig()
        let a = try rig.launch().connect("/data/a.sqlite", Self.configuration(mode))
        try a.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY)")
        let b = try rig.launch().connect("/data/a.sqlite", Self.configuration(mode))
        try a.execute("BEGIN IMMEDIATE")
        try a.execute("INSERT INTO t VALUES (1)")
        let refused = #expect(throws: SQLiteError.self) { try b.execute("BEGIN IMMEDIATE") }
        #expect(refused?.isBusy == true)
        try a.execute("COMMIT")
        try b.transaction { try b.execute("INSERT INTO t VALUES (2)") }
        #expect(try rows(a) == [1, 2])
    }

    @Test func `in WAL mode a reader goes on with its own picture while another writes`() throws {
        let rig = DiskRig()
        let writer = try rig.launch().connect("/data/a.sqlite", Self.configuration(.wal))
        try writer.executeScript(
            "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)"
        )
        let reader = try rig.launch().connect("/data/a.sqlite", Self.configuration(.wal))
        try reader.transaction(.deferred) {
            #expect(try rows(reader) == [1])
            try writer.execute("INSERT INTO t VALUES (2)")
            #expect(try rows(reader) == [1])
        }
        #expect(try rows(reader) == [1, 2])
    }

    @Test func `in DELETE mode a reader keeps a commit waiting`() throws {
        let rig = DiskRig()
        let writer = try rig.launch().connect("/data/a.sqlite", Self.configuration(.delete))
        try writer.executeScript(
            "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)"
        )
        let reader = try rig.launch().connect("/data/a.sqlite", Self.configuration(.delete))
        try reader.execute("BEGIN")
        #expect(try rows(reader) == [1])
        try writer.execute("BEGIN IMMEDIATE")
        try writer.execute("INSERT INTO t VALUES (2)")
        let refused = #expect(throws: SQLiteError.self) { try writer.execute("COMMIT") }
        #expect(refused?.isBusy == true)
        try reader.execute("COMMIT")
        try writer.execute("COMMIT")
        #expect(try rows(reader) == [1, 2])
    }

    @Test func `a checkpoint moves the WAL into the database and truncates it`() throws {
        let rig = DiskRig()
        let connection = try rig.launch().connect("/data/a.sqlite", Self.configuration(.wal))
        try connection.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY, p BLOB)")
        for id in 1...50 { try connection.execute("INSERT INTO t VALUES (?, zeroblob(900))", id) }
        let walBefore = rig.disk.contents(of: "/data/a.sqlite-wal")?.count ?? 0
        #expect(walBefore > 50 * 4_096)
        let done = try connection.checkpoint(.truncate)
        #expect(done.logFrames == done.copiedFrames)
        #expect(rig.disk.contents(of: "/data/a.sqlite-wal")?.isEmpty == true)
        #expect(try connection.integrityProblems().isEmpty)
    }

    @Test func `a full device refuses the transaction and leaves the database whole`() throws {
        for mode in Self.modes {
            let rig = DiskRig()
            let connection = try rig.launch().connect("/data/a.sqlite", Self.configuration(mode))
            try connection.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY, p BLOB)")
            try connection.execute("INSERT INTO t VALUES (1, zeroblob(900))")
            rig.disk.setFree(.kibibytes(64))
            let refused = #expect(throws: SQLiteError.self) {
                try connection.transaction {
                    for id in 2...200 {
                        try connection.execute("INSERT INTO t VALUES (?, zeroblob(4000))", id)
                    }
                }
            }
            #expect(refused?.isFull == true)
            #expect(try rows(connection) == [1])
            rig.disk.setFree(nil)
            try connection.execute("INSERT INTO t VALUES (2, zeroblob(900))")
            #expect(try rows(connection) == [1, 2])
            #expect(try connection.integrityProblems().isEmpty)
        }
    }

    @Test func `a failing device surfaces as an input-output error with its operation`() throws {
        let rig = DiskRig()
        let connection = try rig.launch().connect("/data/a.sqlite", Self.configuration(.wal))
        try connection.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY)")
        let failure = rig.disk.inject(DiskInjection(.inputOutput, effects: [.sync]))
        let refused = #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO t VALUES (1)")
        }
        // SQLITE_IOERR_FSYNC = 10 | 4 << 8.
        #expect(refused?.code.rawValue == 1_034)
        rig.disk.withdrawInjection(failure)
        try connection.execute("INSERT INTO t VALUES (2)")
        #expect(try connection.integrityProblems().isEmpty)
    }

    @Test func `a locked device refuses access`() throws {
        let rig = DiskRig()
        let process = rig.launch()
        let lock = rig.disk.inject(.locked(prefix: "/data/"))
        let refused = #expect(throws: SQLiteError.self) { try process.connect("/data/a.sqlite") }
        #expect(refused?.code.primary == .notAuthorized)
        rig.disk.withdrawInjection(lock)
        #expect(try process.connect("/data/a.sqlite").integrityProblems().isEmpty)
    }

    @Test func `a dead process's calls reach nothing, whatever it goes on to do`() throws {
        let rig = DiskRig()
        let process = rig.launch()
        let connection = try process.connect("/data/a.sqlite", Self.configuration(.wal))
        try connection.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY)")
        try connection.execute("BEGIN IMMEDIATE")
        try connection.execute("INSERT INTO t VALUES (1)")
        rig.disk.processDied(process.client, at: process.time)
        let before = rig.disk.paths().map { rig.disk.contents(of: $0) }
        for sql in ["COMMIT", "ROLLBACK", "INSERT INTO t VALUES (2)", "SELECT * FROM t"] {
            #expect(throws: SQLiteError.self, "\(sql)") { try connection.execute(sql) }
        }
        let other = #expect(throws: SQLiteError.self) { try process.connect("/data/b.sqlite") }
        #expect(other?.code.primary == .inputOutput)
        connection.close()
        #expect(rig.disk.paths().map { rig.disk.contents(of: $0) } == before)
        let next = try rig.launch().connect("/data/a.sqlite", Self.configuration(.wal))
        try next.execute("INSERT INTO t VALUES (7)")
        #expect(try rows(next) == [7])
    }
}
