import PhoneModel
import SQLiteStore
import Testing

/// Who holds a lock while suspending: an open transaction, not an open connection.
@Suite struct LockHolderTests {
    @Test(arguments: [SQLiteConfiguration.JournalMode.wal, .delete])
    func `an idle connection holds no transaction, an open one does until it ends`(
        mode: SQLiteConfiguration.JournalMode
    ) throws {
        let rig = DiskRig()
        let process = rig.launch()
        let connection = try process.connect(
            "/data/a.sqlite",
            SQLiteConfiguration(journalMode: mode)
        )
        try connection.executeScript("CREATE TABLE t(v); INSERT INTO t VALUES (1)")
        func isHolding() -> Bool {
            rig.disk.locks(of: process.client).contains { $0.isTransaction }
        }
        #expect(!isHolding())
        for opening in ["BEGIN IMMEDIATE", "BEGIN"] {
            try connection.execute(opening)
            _ = try connection.statement("SELECT v FROM t").first { $0.integer(at: 0) }
            #expect(isHolding(), "\(opening)")
            try connection.execute("COMMIT")
            #expect(!isHolding(), "\(opening)")
        }
        connection.close()
        #expect(rig.disk.locks(of: process.client).isEmpty)
    }
}
