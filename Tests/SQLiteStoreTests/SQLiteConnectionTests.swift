import SQLiteStore
import Testing

/// The wrapper: statements, values, transactions, errors.
@Suite struct SQLiteConnectionTests {
    private func memory() throws -> SQLiteConnection {
        try SQLiteConnection(path: ":memory:", configuration: .init(journalMode: nil))
    }

    @Test func `every kind of value comes back as it went in`() throws {
        let connection = try memory()
        try connection.executeScript("CREATE TABLE t(v)")
        let values: [SQLiteValue] = [
            .null, .integer(.min), .integer(.max), .real(-0.5), .text(""),
            .text("h\u{E9}llo \u{1F331} \0 end"), .blob([]), .blob([0, 255, 7]),
        ]
        for value in values { try connection.execute("INSERT INTO t VALUES (?)", value) }
        let read = try connection.statement("SELECT v FROM t ORDER BY rowid").all {
            $0.value(at: 0)
        }
        #expect(read == values)
    }

    @Test func `typed reads follow SQLite's conversions and tell NULL apart`() throws {
        let connection = try memory()
        let row = try connection.statement("SELECT NULL, 7, 'x', x'0102', 1.5, ?, ?")
            .first(true, String?.none) { row in
                #expect(row.columnCount == 7)
                #expect(row.isNull(at: 0))
                #expect(row.optionalInteger(at: 0) == nil)
                #expect(row.optionalText(at: 0) == nil)
                #expect(row.optionalBlob(at: 0) == nil)
                #expect(row.integer(at: 0) == 0)
                #expect(row.optionalInteger(at: 1) == 7)
                #expect(row.text(at: 1) == "7")
                #expect(row.text(at: 2) == "x")
                #expect(row.blob(at: 3) == [1, 2])
                #expect(row.double(at: 4) == 1.5)
                #expect(row.bool(at: 5))
                #expect(row.isNull(at: 6))
                return true
            }
        #expect(row == true)
    }

    @Test func `a statement is compiled once, and again while it runs`() throws {
        let connection = try memory()
        try connection.executeScript("CREATE TABLE t(v); INSERT INTO t VALUES (1),(2)")
        let sql = "SELECT v FROM t"
        let first = try connection.statement(sql)
        #expect(try connection.statement(sql) === first)
        var pairs = 0
        try first.scan { _ in
            let inner = try connection.statement(sql)
            #expect(inner !== first)
            pairs += try inner.all { $0.integer(at: 0) }.count
            return true
        }
        #expect(pairs == 4)
        #expect(!first.isRunning)
    }

    @Test func `a scan stops when told and leaves nothing open`() throws {
        let connection = try memory()
        try connection.executeScript("CREATE TABLE t(v); INSERT INTO t VALUES (1),(2),(3)")
        var seen: [Int64] = []
        let statement = try connection.statement("SELECT v FROM t")
        try statement.scan { row in
            seen.append(row.integer(at: 0))
            return seen.count < 2
        }
        #expect(seen == [1, 2])
        #expect(!statement.isRunning)
    }

    @Test func `the number of values must be the number wanted`() throws {
        let connection = try memory()
        try connection.executeScript("CREATE TABLE t(a, b)")
        let refused = #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO t VALUES (?, ?)", 1)
        }
        #expect(refused?.code == .outOfRange)
    }

    @Test func `a transaction keeps all of its body or nothing`() throws {
        struct Stop: Error {}
        let connection = try memory()
        try connection.executeScript("CREATE TABLE t(v)")
        let count = {
            try connection.statement("SELECT count(*) FROM t").first { $0.integer(at: 0) }
        }
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                #expect(connection.isInTransaction)
                throw Stop()
            }
        }
        #expect(try count() == 0)
        let value = try connection.transaction {
            try connection.execute("INSERT INTO t VALUES (2)")
            return connection.lastInsertedRowID
        }
        #expect(value == 1)
        #expect(connection.changes == 1)
        #expect(try count() == 1)
        #expect(throws: SQLiteError.self) {
            try connection.transaction { try connection.transaction {} }
        }
        #expect(!connection.isInTransaction)
    }

    @Test func `a savepoint undoes its part alone`() throws {
        struct Stop: Error {}
        let connection = try memory()
        try connection.executeScript("CREATE TABLE t(v)")
        try connection.transaction {
            try connection.execute("INSERT INTO t VALUES (1)")
            try? connection.savepoint {
                try connection.execute("INSERT INTO t VALUES (2)")
                throw Stop()
            }
            try connection.savepoint { try connection.execute("INSERT INTO t VALUES (3)") }
        }
        let kept = try connection.statement("SELECT v FROM t").all { $0.integer(at: 0) }
        #expect(kept == [1, 3])
    }

    @Test func `an error names code, message and SQL and never a bound value`() throws {
        let connection = try memory()
        try connection.executeScript("CREATE TABLE t(v UNIQUE)")
        let sql = "INSERT INTO t VALUES (?)"
        try connection.execute(sql, "secret-value")
        let refused = #expect(throws: SQLiteError.self) {
            try connection.execute(sql, "secret-value")
        }
        let error = try #require(refused)
        // SQLITE_CONSTRAINT_UNIQUE = 19 | 8 << 8.
        #expect(error.code.rawValue == 2_067)
        #expect(error.code.primary == .constraint)
        #expect(error.sql == sql)
        #expect("\(error)".contains("SQLITE_CONSTRAINT (2067)"))
        #expect(!"\(error)".contains("secret-value"))
        let wrong = #expect(throws: SQLiteError.self) { try connection.execute("SELEC 1") }
        #expect(wrong?.code == .error)
        #expect(wrong?.sql == "SELEC 1")
        let nothing = #expect(throws: SQLiteError.self) { try connection.execute("  ") }
        #expect(nothing?.code == .misuse)
    }

    @Test func `a closed connection refuses calls and closing twice is fine`() throws {
        let connection = try memory()
        try connection.executeScript("CREATE TABLE t(v)")
        let kept = try connection.statement("SELECT count(*) FROM t")
        connection.close()
        connection.close()
        let refused = #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1") }
        #expect(refused?.code == .misuse)
        #expect(connection.changes == 0)
        #expect(connection.memoryUse.totalBytes == 0)
        // A statement that someone keeps holds SQLite's side alive.
        #expect(try kept.first { $0.integer(at: 0) } == 0)
    }

    @Test func `a file that cannot be opened is an error with its code`() {
        let refused = #expect(throws: SQLiteError.self) {
            try SQLiteConnection(path: "/nowhere/at/all/a.sqlite")
        }
        #expect(refused?.code.primary == .cannotOpen)
        let unknown = #expect(throws: SQLiteError.self) {
            try SQLiteConnection(path: "/a.sqlite", vfs: "no such vfs")
        }
        #expect(unknown?.code == .error)
    }

    @Test func `memory in use grows with the cache and is given back`() throws {
        let store = MemoryFileStore()
        let vfs = try VFSBench.register(store)
        let connection = try SQLiteConnection(path: "/a.sqlite", vfs: vfs)
        let before = connection.memoryUse
        #expect(before.schemaBytes > 0)
        try connection.executeScript("CREATE TABLE t(v)")
        try connection.execute("INSERT INTO t VALUES (zeroblob(200000))")
        let after = connection.memoryUse
        // 200,000 bytes are 49 pages of 4,096.
        #expect(after.cacheBytes > before.cacheBytes + 49 * 4_096)
        #expect(after.statementBytes > 0)
        connection.releaseMemory()
        #expect(connection.memoryUse.cacheBytes < after.cacheBytes)
    }

    @Test func `the schema's version is kept in the file`() throws {
        let connection = try memory()
        #expect(try connection.userVersion() == 0)
        try connection.setUserVersion(3)
        #expect(try connection.userVersion() == 3)
    }
}
