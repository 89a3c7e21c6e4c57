import SQLiteStore
import Testing

/// The arena under SQLite: a process for each test, for it must be there before SQLite is used.
@Suite struct SQLiteHeapTests {
    /// Opens a database in memory, fills it, and reads back what it holds of the heap.
    static func fill(_ rows: Int) throws -> (connection: SQLiteConnection, bytes: Int) {
        let connection = try SQLiteConnection(
            path: ":memory:",
            configuration: .init(journalMode: nil)
        )
        try connection.executeScript("CREATE TABLE t (number INTEGER PRIMARY KEY, text TEXT)")
        try connection.transaction {
            for row in 0..<rows {
                let text = String(repeating: "x", count: row % 700)
                try connection.execute("INSERT INTO t VALUES (?, ?)", row, text)
            }
        }
        let count = try connection.statement("SELECT count(*), sum(length(text)) FROM t")
            .first { ($0.integer(at: 0), $0.integer(at: 1)) }
        let sum = (0..<rows).reduce(0) { $0 + $1 % 700 }
        precondition(count?.0 == Int64(rows) && count?.1 == Int64(sum), "other rows were read")
        return (connection, connection.memoryUse.totalBytes)
    }

    @Test func `connections that nobody closes take no more memory in the tenth world`() async {
        await #expect(processExitsWith: .success) {
            guard SQLiteHeap.install() else { return }
            var abandoned: [SQLiteConnection] = []
            var reserved: [Int] = []
            for _ in 0..<10 {
                SQLiteHeap.beginWorld()
                abandoned.append(try SQLiteHeapTests.fill(500).connection)
                reserved.append(SQLiteHeap.reservedBytes)
            }
            precondition(reserved[0] > 0 && reserved[9] == reserved[0], "\(reserved)")
            // Dropped, or closed by hand: of no consequence, for their memory is gone.
            abandoned[0].close()
            abandoned.removeFirst(8)
            _ = try SQLiteHeapTests.fill(500)
        }
    }

    @Test func `the figures of memory are those of SQLite's own allocator`() async throws {
        let own = try Self.fill(3_000).bytes
        let ending = try await #require(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) {
            guard SQLiteHeap.install() else { return print("none") }
            SQLiteHeap.beginWorld()
            print("bytes: \(try SQLiteHeapTests.fill(3_000).bytes)")
        }
        let text = String(decoding: ending.standardOutputContent, as: UTF8.self)
        #expect(text.contains("none") || text.contains("bytes: \(own)\n"), "\(own): \(text)")
    }

    @Test func `a process that has used SQLite keeps its allocator`() async {
        await #expect(processExitsWith: .success) {
            let (connection, _) = try SQLiteHeapTests.fill(10)
            precondition(!SQLiteHeap.install())
            SQLiteHeap.beginWorld()
            precondition(SQLiteHeap.reservedBytes == 0)
            try connection.execute("INSERT INTO t VALUES (99, 'still there')")
        }
    }

    /// Twenty launches of an app in one world, each killed with its database open.
    @Test func `what a dead process had open is given back, unless it was writing`() async {
        await #expect(processExitsWith: .success) {
            guard SQLiteHeap.install() else { return }
            SQLiteHeap.beginWorld()
            let store = MemoryFileStore()
            var kept: [SQLiteConnection] = []
            var statements: [SQLiteStatement] = []
            var reserved: [Int] = []
            for launch in 0..<20 {
                let vfs = SQLiteVFS(
                    name: "launch-\(launch)",
                    store: store,
                    host: SQLiteVFSHost(
                        randomness: { for index in $0.indices { $0[index] = 7 } },
                        sleep: { _ in },
                        wallMilliseconds: { 1_796_012_400_000 }
                    )
                )
                try vfs.register()
                let connection = try SQLiteConnection(path: "/a.sqlite", vfs: vfs.name)
                try connection.executeScript("CREATE TABLE IF NOT EXISTS t(v)")
                for value in 0..<200 { try connection.execute("INSERT INTO t VALUES (?)", value) }
                statements.append(try connection.statement("SELECT count(*) FROM t"))
                kept.append(connection)
                vfs.unregister()
                vfs.closeAbandoned()
                reserved.append(SQLiteHeap.reservedBytes)
            }
            precondition(reserved[0] > 0 && reserved[19] == reserved[0], "\(reserved)")
            // Its owner may still let go of it, and is told if it asks for more.
            do {
                _ = try statements[3].first { $0.integer(at: 0) }
                preconditionFailure("a statement of a dead process ran")
            } catch let error as SQLiteError {
                precondition(error.code == .misuse)
            }
            kept[3].close()
            kept = []
            statements = []
        }
    }
}
