import PhoneModel
import Quantities
import SQLiteStore
import Testing

/// Anchors for faults: which commit of which database, which write of it.
@Suite struct DiskTransactionTests {
    final class Log {
        var events: [DiskTransactionEvent] = []
    }

    private func logged(
        _ mode: SQLiteConfiguration.JournalMode
    ) throws -> (DiskRig, RigProcess, SQLiteConnection, Log) {
        let rig = DiskRig()
        let log = Log()
        let process = rig.launch()
        let connection = try process.connect(
            "/data/outbox.sqlite",
            SQLiteConfiguration(journalMode: mode)
        )
        try connection.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY, p BLOB)")
        rig.disk.onTransaction = { log.events.append($0) }
        return (rig, process, connection, log)
    }

    /// A WAL commit of one page is a frame header of 24 bytes and the page: two writes.
    @Test func `a WAL commit of one page is one transaction of two writes`() throws {
        let (rig, _, connection, log) = try logged(.wal)
        let before = rig.disk.usage.commits.first?.count ?? 0
        try connection.execute("INSERT INTO t VALUES (1, NULL)")
        let ordinal = before + 1
        #expect(
            log.events == [
                .began(database: "outbox", ordinal: ordinal),
                .writing(database: "outbox", ordinal: ordinal, index: 1),
                .writing(database: "outbox", ordinal: ordinal, index: 2),
                .ended(database: "outbox", ordinal: ordinal, committed: true),
            ]
        )
    }

    @Test(arguments: [SQLiteConfiguration.JournalMode.wal, .delete])
    func `each commit counts once, a read or an empty transaction not at all`(
        mode: SQLiteConfiguration.JournalMode
    ) throws {
        let (rig, _, connection, _) = try logged(mode)
        let before = rig.disk.usage.commits.first?.count ?? 0
        for id in 1...5 { try connection.execute("INSERT INTO t VALUES (?, NULL)", id) }
        try connection.transaction {
            for id in 6...9 { try connection.execute("INSERT INTO t VALUES (?, NULL)", id) }
        }
        _ = try connection.statement("SELECT count(*) FROM t").first { $0.integer(at: 0) }
        try connection.transaction {}
        if mode == .wal { try connection.checkpoint(.truncate) }
        #expect(rig.disk.usage.commits == [.init(database: "outbox", count: before + 6)])
    }

    @Test func `a rolled back DELETE transaction ends without a commit`() throws {
        let (rig, _, connection, log) = try logged(.delete)
        let before = rig.disk.usage.commits
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1, NULL)")
                throw Stop()
            }
        }
        #expect(rig.disk.usage.commits == before)
        let isCommit = log.events.contains {
            if case .ended(_, _, committed: true) = $0 { true } else { false }
        }
        #expect(!isCommit)
    }

    @Test func `a kill during a given write of a given commit comes before that write`() throws {
        let (rig, process, connection, log) = try logged(.wal)
        let start = rig.disk.usage.commits.first?.count ?? 0
        let before = rig.disk.contents(of: "/data/outbox.sqlite-wal")?.count ?? 0
        rig.disk.onTransaction = { [disk = rig.disk] event in
            log.events.append(event)
            if case .writing("outbox", start + 3, 2) = event {
                disk.processDied(process.client, at: process.time)
            }
        }
        try connection.execute("INSERT INTO t VALUES (1, NULL)")
        try connection.execute("INSERT INTO t VALUES (2, NULL)")
        #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO t VALUES (3, NULL)")
        }
        #expect(log.events.last == .cut(database: "outbox", ordinal: start + 3))
        // Two whole frames and the header of the third.
        let grown = (rig.disk.contents(of: "/data/outbox.sqlite-wal")?.count ?? 0) - before
        #expect(grown == 2 * (24 + 4_096) + 24)
        let again = try rig.launch().connect("/data/outbox.sqlite")
        #expect(try again.statement("SELECT max(id) FROM t").first { $0.integer(at: 0) } == 2)
    }
}
