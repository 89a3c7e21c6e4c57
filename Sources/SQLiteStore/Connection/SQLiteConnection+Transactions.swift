import CSQLite

/// How a transaction begins (sqlite.org/lang_transaction).
public enum SQLiteTransactionKind: String, Sendable {
    /// Takes no lock until it is needed; a later write may fail as busy.
    case deferred = "DEFERRED"
    /// Takes the write lock now.
    case immediate = "IMMEDIATE"
    /// Takes the write lock now and, outside WAL mode, keeps readers out.
    case exclusive = "EXCLUSIVE"
}

/// What a checkpoint did (sqlite.org/c3ref/wal_checkpoint_v2).
public struct SQLiteCheckpoint: Equatable, Sendable {
    /// Frames in the WAL.
    public var logFrames: Int
    /// Frames of it that are now in the database.
    public var copiedFrames: Int
}

extension SQLiteConnection {
    /// Runs `body` in a transaction: all of it is kept, or nothing when it or the commit throws.
    ///
    /// Transactions do not nest; `savepoint` does.
    public func transaction<Value>(
        _ kind: SQLiteTransactionKind = .immediate,
        _ body: () throws -> Value
    ) throws -> Value {
        guard !isInTransaction else {
            throw SQLiteError(
                code: .misuse,
                message: "a transaction is open: use savepoint inside of one"
            )
        }
        try execute("BEGIN \(kind.rawValue)")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // After some failures (a full disk) SQLite has rolled back by itself.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Runs `body` as a part that can be undone alone, inside a transaction or as one.
    public func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try execute("SAVEPOINT nested")
        do {
            let value = try body()
            try execute("RELEASE nested")
            return value
        } catch {
            if isInTransaction {
                try? execute("ROLLBACK TO nested")
                try? execute("RELEASE nested")
            }
            throw error
        }
    }

    /// How far a checkpoint goes, and whom it waits for.
    public enum CheckpointMode: Int32, Sendable {
        /// As many frames as it can without waiting.
        case passive = 0
        /// Waits for writers, then copies every frame.
        case full = 1
        /// As `full`, and waits for readers so that the next writer starts the WAL anew.
        case restart = 2
        /// As `restart`, and cuts the WAL to nothing.
        case truncate = 3
    }

    /// Copies the WAL into the database.
    @discardableResult
    public func checkpoint(_ mode: CheckpointMode = .passive) throws(SQLiteError)
        -> SQLiteCheckpoint
    {
        let opened = try open()
        var logged: Int32 = 0
        var copied: Int32 = 0
        let result = sqlite3_wal_checkpoint_v2(opened, nil, mode.rawValue, &logged, &copied)
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, connection: opened, sql: nil)
        }
        return SQLiteCheckpoint(logFrames: Int(logged), copiedFrames: Int(copied))
    }

    /// Makes durable what an earlier process committed and may have died before syncing.
    ///
    /// A kill between the write of a commit and its sync leaves the commit readable and not durable: the
    /// next process recovers it from the WAL, and a loss of power may still take it. Whoever shows or
    /// confirms what it finds at its start calls this first. Without effect in other journal modes and
    /// on an empty WAL; else it syncs the WAL and copies it (a passive checkpoint). A reader of another
    /// process holds nothing unsynced back: while one lives, the index in shared memory does, and a commit
    /// is entered there after its sync.
    public func settleRecovered() throws(SQLiteError) {
        do throws(SQLiteError) {
            _ = try checkpoint(.passive)
        } catch {
            // Busy: another process is copying, and syncs before it does. Full: the WAL was synced,
            // only the copy had no room.
            guard error.code.primary == .busy || error.code.primary == .full else { throw error }
        }
    }

    /// The schema's version, kept in the file for the app's own migrations.
    public func userVersion() throws -> Int {
        try statement("PRAGMA user_version").first { Int($0.integer(at: 0)) } ?? 0
    }

    /// Sets the schema's version; part of the transaction that is open, if one is.
    public func setUserVersion(_ version: Int32) throws(SQLiteError) {
        try executeScript("PRAGMA user_version = \(version)")
    }

    /// Whether the schema has all that `sql` names; its statement is compiled, and kept where it has.
    ///
    /// Ask with a statement that is needed anyway and names what came last: much less work than a schema's
    /// `IF NOT EXISTS`, and no write lock. Throws what the storage throws.
    public func knows(_ sql: String) throws(SQLiteError) -> Bool {
        do throws(SQLiteError) {
            _ = try statement(sql)
            return true
        } catch {
            // "no such table", "no such column".
            guard error.code.primary == .error else { throw error }
            return false
        }
    }

    /// Adds a column to a table of an earlier version that lacks it: "owner TEXT".
    ///
    /// Reads the schema alone where it is there.
    public func addColumn(_ definition: String, to table: String) throws {
        let name = definition.prefix { $0 != " " }
        let sql = "SELECT 1 FROM pragma_table_info(?) WHERE name = ?"
        let found = try unkeptStatement(sql).first(table, String(name)) { _ in true }
        guard found == nil else { return }
        try executeScript("ALTER TABLE \(table) ADD COLUMN \(definition)")
    }

    /// Another value than before means that another connection has changed the database since.
    ///
    /// Its own commits change nothing (sqlite.org/pragma.html#pragma_data_version).
    public func dataVersion() throws -> Int64 {
        try unkeptStatement("PRAGMA data_version").first { $0.integer(at: 0) } ?? 0
    }

    /// What SQLite's own check finds wrong with the file; empty when it is sound.
    public func integrityProblems() throws -> [String] {
        let found = try statement("PRAGMA integrity_check").all { $0.text(at: 0) }
        return found == ["ok"] ? [] : found
    }
}
