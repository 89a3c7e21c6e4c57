import CSQLite
import SQLiteStore
import Synchronization
import Testing

/// Registers VFSs under names that no other suite uses.
enum VFSBench {
    private static let names = Atomic<Int>(0)

    static func register(
        _ store: any FileStore,
        configuration: SQLiteVFSConfiguration = .init(),
        slept: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws -> String {
        let vfs = SQLiteVFS(
            name: "bench-\(names.add(1, ordering: .relaxed).newValue)",
            store: store,
            host: SQLiteVFSHost(
                randomness: { for index in $0.indices { $0[index] = UInt8(index & 0xFF) } },
                sleep: slept,
                // 2026-11-30 04:20:00 UTC.
                wallMilliseconds: { 1_796_012_400_000 }
            ),
            configuration: configuration
        )
        try vfs.register()
        return vfs.name
    }
}

/// The bridge between SQLite and a file store.
@Suite struct SQLiteVFSTests {
    private static let modes: [SQLiteConfiguration.JournalMode] = [
        .wal, .delete, .truncate, .persist,
    ]

    @Test(arguments: modes)
    func `a database lives in the store in every journal mode`(
        mode: SQLiteConfiguration.JournalMode
    ) throws {
        let store = MemoryFileStore()
        let vfs = try VFSBench.register(store)
        let setting = SQLiteConfiguration(journalMode: mode)
        let connection = try SQLiteConnection(path: "/a.sqlite", vfs: vfs, configuration: setting)
        try connection.executeScript("CREATE TABLE t(v)")
        for value in 1...100 { try connection.execute("INSERT INTO t VALUES (?)", value) }
        connection.close()
        let again = try SQLiteConnection(path: "/a.sqlite", vfs: vfs, configuration: setting)
        #expect(try again.statement("SELECT sum(v) FROM t").first { $0.integer(at: 0) } == 5_050)
        #expect(try again.integrityProblems().isEmpty)
    }

    @Test func `two connections of one store see each other's locks and rows`() throws {
        let store = MemoryFileStore()
        let first = try SQLiteConnection(
            path: "/a.sqlite",
            vfs: try VFSBench.register(store),
            configuration: .init(busyTimeout: .zero)
        )
        try first.executeScript("CREATE TABLE t(v)")
        let second = try SQLiteConnection(
            path: "/a.sqlite",
            vfs: try VFSBench.register(store),
            configuration: .init(busyTimeout: .zero)
        )
        try first.transaction {
            try first.execute("INSERT INTO t VALUES (1)")
            let refused = #expect(throws: SQLiteError.self) {
                try second.execute("INSERT INTO t VALUES (2)")
            }
            #expect(refused?.isBusy == true)
        }
        try second.execute("INSERT INTO t VALUES (2)")
        #expect(try first.statement("SELECT count(*) FROM t").first { $0.integer(at: 0) } == 2)
    }

    @Test func `a busy connection waits by the host's sleep and no longer than it was told`() throws
    {
        final class Slept: Sendable {
            let milliseconds = Atomic<Int64>(0)
        }
        let slept = Slept()
        let store = MemoryFileStore()
        let holder = try SQLiteConnection(path: "/a.sqlite", vfs: try VFSBench.register(store))
        try holder.executeScript("CREATE TABLE t(v)")
        let vfs = try VFSBench.register(store) { span in
            slept.milliseconds.add(
                span.components.attoseconds / 1_000_000_000_000_000,
                ordering: .relaxed
            )
        }
        let waiting = try SQLiteConnection(
            path: "/a.sqlite",
            vfs: vfs,
            configuration: .init(busyTimeout: .milliseconds(300))
        )
        try holder.transaction {
            try holder.execute("INSERT INTO t VALUES (1)")
            let refused = #expect(throws: SQLiteError.self) {
                try waiting.execute("INSERT INTO t VALUES (2)")
            }
            #expect(refused?.isBusy == true)
        }
        let total = slept.milliseconds.load(ordering: .relaxed)
        #expect((200...300).contains(total), "\(total) ms")
    }

    @Test func `time of day comes from the host`() throws {
        let vfs = try VFSBench.register(MemoryFileStore())
        let connection = try SQLiteConnection(path: "/a.sqlite", vfs: vfs)
        let now = try connection.statement("SELECT datetime('now')").first { $0.text(at: 0) }
        #expect(now == "2026-11-30 04:20:00")
    }

    @Test func `a store without shared memory refuses WAL mode at open`() throws {
        let store = MemoryFileStore()
        store.offersMemory = false
        let vfs = try VFSBench.register(store)
        let refused = #expect(throws: SQLiteError.self) {
            try SQLiteConnection(path: "/a.sqlite", vfs: vfs)
        }
        #expect(refused?.message.contains("delete") == true)
        let connection = try SQLiteConnection(
            path: "/a.sqlite",
            vfs: vfs,
            configuration: .init(journalMode: .delete)
        )
        try connection.executeScript("CREATE TABLE t(v)")
    }

    /// The codes are SQLITE_IOERR (10) with the operation in the second byte (sqlite.org/rescode).
    @Test(
        arguments: [
            ("read", FileStoreError.inputOutput, 266), ("write", .inputOutput, 778),
            ("sync", .inputOutput, 1_034), ("size", .inputOutput, 1_802), ("write", .noSpace, 13),
            ("write", .notPermitted, 7_178), ("lock", .inputOutput, 3_850), ("write", .fenced, 10),
            ("syncDirectory", .inputOutput, 1_290), ("remove", .inputOutput, 2_570),
        ] as [(String, FileStoreError, Int32)]
    )
    func `a store's failure reaches the caller as SQLite's code`(
        call: String,
        error: FileStoreError,
        code: Int32
    ) throws {
        let store = MemoryFileStore()
        let vfs = try VFSBench.register(store)
        let setting = SQLiteConfiguration(journalMode: .delete)
        let first = try SQLiteConnection(path: "/a.sqlite", vfs: vfs, configuration: setting)
        try first.executeScript("CREATE TABLE t(v); INSERT INTO t VALUES (1)")
        first.close()
        let connection = try SQLiteConnection(path: "/a.sqlite", vfs: vfs, configuration: setting)
        store.failing = (call, error)
        let refused = #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO t VALUES (2)")
        }
        #expect(refused?.code.rawValue == code, "\(refused.map { "\($0)" } ?? "nothing")")
        store.failing = nil
        #expect(try connection.integrityProblems().isEmpty)
    }

    @Test func `opening fails as the store says`() throws {
        for (error, code) in [
            (FileStoreError.notPermitted, SQLiteResultCode.notAuthorized),
            (.noSpace, .full), (.fenced, .inputOutput), (.inputOutput, .cannotOpen),
        ] {
            let store = MemoryFileStore()
            store.failing = ("open", error)
            let vfs = try VFSBench.register(store)
            let refused = #expect(throws: SQLiteError.self) {
                try SQLiteConnection(path: "/a.sqlite", vfs: vfs)
            }
            #expect(refused?.code.primary == code)
        }
    }

    @Test func `a fenced store answers every statement with an input-output error`() throws {
        for mode in [SQLiteConfiguration.JournalMode.wal, .delete] {
            let store = MemoryFileStore()
            let vfs = try VFSBench.register(store)
            let connection = try SQLiteConnection(
                path: "/a.sqlite",
                vfs: vfs,
                configuration: .init(journalMode: mode)
            )
            try connection.executeScript("CREATE TABLE t(v)")
            try connection.execute("BEGIN IMMEDIATE")
            try connection.execute("INSERT INTO t VALUES (1)")
            store.isFenced = true
            let before = store.files.keys.sorted().map { store.files[$0]?.bytes }
            for sql in ["COMMIT", "SELECT * FROM t", "INSERT INTO t VALUES (2)"] {
                let refused = #expect(throws: SQLiteError.self) { try connection.execute(sql) }
                #expect(refused?.code.primary == .inputOutput, "\(sql)")
            }
            connection.close()
            #expect(store.files.keys.sorted().map { store.files[$0]?.bytes } == before)
        }
    }

    @Test func `an abandoned connection does no harm`() throws {
        let store = MemoryFileStore()
        let vfs = try VFSBench.register(store)
        let abandoned = try SQLiteConnection(path: "/a.sqlite", vfs: vfs)
        try abandoned.executeScript("CREATE TABLE t(v); INSERT INTO t VALUES (1)")
        // Kept for ever, as a killed process's frames are: never closed, never let go.
        _ = Unmanaged.passRetained(abandoned)
        let other = try SQLiteConnection(path: "/a.sqlite", vfs: vfs)
        #expect(try other.statement("SELECT v FROM t").first { $0.integer(at: 0) } == 1)
    }

    @Test func `a name is taken away and can be given again`() throws {
        let host = SQLiteVFSHost(randomness: { _ in }, sleep: { _ in }, wallMilliseconds: { 0 })
        let one = SQLiteVFS(name: "again", store: MemoryFileStore(), host: host)
        try one.register()
        let connection = try SQLiteConnection(path: "/a.sqlite", vfs: "again")
        try connection.executeScript("CREATE TABLE t(v)")
        connection.close()
        one.unregister()
        one.unregister()
        #expect(throws: SQLiteError.self) { try SQLiteConnection(path: "/a.sqlite", vfs: "again") }
        let two = SQLiteVFS(name: "again", store: MemoryFileStore(), host: host)
        try two.register()
        defer { two.unregister() }
        let fresh = try SQLiteConnection(path: "/a.sqlite", vfs: "again")
        #expect(throws: SQLiteError.self) { try fresh.execute("SELECT * FROM t") }
    }

    @Test func `a new journal's folder is synced before the database is touched`() throws {
        let store = MemoryFileStore()
        let vfs = try VFSBench.register(store)
        let connection = try SQLiteConnection(
            path: "/a.sqlite",
            vfs: vfs,
            configuration: .init(journalMode: .delete)
        )
        try connection.executeScript("CREATE TABLE t(v)")
        let from = store.calls.count
        try connection.execute("INSERT INTO t VALUES (1)")
        let order = store.calls[from...].filter {
            ["write", "sync", "syncDirectory", "remove"].contains($0)
        }
        // Journal written, synced with its folder, its count written and synced, then the database.
        let folder = try #require(order.firstIndex(of: "syncDirectory"))
        #expect(order[order.index(before: folder)] == "sync")
        #expect(order[folder...].filter { $0 == "sync" }.count == 2)
        #expect(order.last == "remove")
    }

    @Test func `a full sync is asked for only where the configuration says so`() throws {
        for isFull in [false, true] {
            let store = MemoryFileStore()
            let vfs = try VFSBench.register(store)
            let connection = try SQLiteConnection(
                path: "/a.sqlite",
                vfs: vfs,
                configuration: .init(usesFullSync: isFull)
            )
            try connection.executeScript("CREATE TABLE t(v)")
            let from = store.calls.count
            try connection.execute("INSERT INTO t VALUES (1)")
            #expect(store.calls[from...].contains("full sync") == isFull)
            #expect(store.calls[from...].contains("sync") == !isFull)
        }
    }

    @Test func `nameless files lose their name as they open`() throws {
        let store = MemoryFileStore()
        let vfs = try VFSBench.register(store)
        let connection = try SQLiteConnection(path: "/a.sqlite", vfs: vfs)
        try connection.executeScript(
            """
            PRAGMA temp_store = FILE; PRAGMA cache_size = 5;
            CREATE TEMP TABLE t(v);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO t SELECT zeroblob(4000) FROM n;
            """
        )
        #expect(
            try connection.statement("SELECT count(*) FROM t").first { $0.integer(at: 0) } == 200
        )
        #expect(store.calls.contains("remove"), "no temporary file was opened: the test is blind")
        #expect(!store.files.keys.contains { $0.hasPrefix("/tmp/") })
    }

    @Test func `relative names lie in the configured folder`() throws {
        let store = MemoryFileStore()
        let vfs = try VFSBench.register(store, configuration: .init(directory: "/data"))
        let connection = try SQLiteConnection(path: "a.sqlite", vfs: vfs)
        try connection.executeScript("CREATE TABLE t(v)")
        #expect(store.files["/data/a.sqlite"] != nil)
    }
}
