import CSQLite

/// A connection to one database file.
///
/// Not `Sendable`, on purpose: keep it in a stored property of one actor and do not let it out. All
/// calls block, and a transaction's body cannot suspend, so no other call of the actor can slip into
/// the middle of one. Dropping the last reference closes the connection.
///
/// A connection whose process is dead (its `FileStore` answers `fenced`) may simply be abandoned,
/// closed or not: nothing that it does reaches the store.
public final class SQLiteConnection {
    /// The path that it was opened with.
    public let path: String
    private(set) var pointer: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]
    private let life = SQLiteLife()

    /// Opens a database, creating it when it is not there, and applies `configuration`.
    ///
    /// `vfs` names a registered VFS, such as `SQLiteVFS.name`; nil means the default one.
    public init(
        path: String,
        vfs: String? = nil,
        configuration: SQLiteConfiguration = .init()
    ) throws(SQLiteError) {
        self.path = path
        let flags =
            configuration.isReadOnly
            ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(path, &opened, flags, vfs)
        guard result == SQLITE_OK, let opened else {
            let error = SQLiteError(result: result, connection: opened, sql: nil)
            sqlite3_close_v2(opened)
            throw error
        }
        pointer = opened
        sqlite3_extended_result_codes(opened, 1)
        do throws(SQLiteError) {
            try apply(configuration)
        } catch {
            close()
            throw error
        }
        SQLiteHeap.opened(self, through: vfs)
    }

    deinit {
        close()
    }

    /// Closes the connection; does nothing when it is closed.
    ///
    /// A statement that someone keeps stays usable until it is let go.
    public func close() {
        statements.removeAll()
        guard let opened = pointer else { return }
        pointer = nil
        if !life.isOver { sqlite3_close_v2(opened) }
    }

    /// Gives SQLite's memory back, statements that someone keeps included: its process is dead.
    ///
    /// Does nothing in the middle of a write: to take that back would touch what other processes map.
    func abandon() {
        guard let opened = pointer, !life.isOver,
            sqlite3_txn_state(opened, nil) != SQLITE_TXN_WRITE
        else { return }
        life.end()
        pointer = nil
        statements.removeAll()
        while let statement = sqlite3_next_stmt(opened, nil) { sqlite3_finalize(statement) }
        sqlite3_close_v2(opened)
    }

    /// The statement of `sql`, compiled at its first use and kept.
    public func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let kept = statements[sql], !kept.isRunning { return kept }
        let made = try SQLiteStatement(sql: sql, connection: try open(), life: life)
        if statements[sql] == nil { statements[sql] = made }
        return made
    }

    /// The statement of `sql`, compiled for this use: for what is small or rare, and not worth its memory.
    public func unkeptStatement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(sql: sql, connection: try open(), life: life)
    }

    /// Runs one statement, compiled once and kept; rows are passed over.
    public func execute(_ sql: String, _ values: any SQLiteBindable...) throws(SQLiteError) {
        try statement(sql).run(values)
    }

    /// Runs a text of several statements that takes no values, such as a schema.
    public func executeScript(_ sql: String) throws(SQLiteError) {
        let opened = try open()
        let result = sqlite3_exec(opened, sql, nil, nil, nil)
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, connection: opened, sql: sql)
        }
    }

    /// Rows that the last INSERT, UPDATE or DELETE touched.
    public var changes: Int { pointer.map { Int(sqlite3_changes($0)) } ?? 0 }

    /// The row id of the last INSERT.
    public var lastInsertedRowID: Int64 { pointer.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { pointer.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    func open() throws(SQLiteError) -> OpaquePointer {
        guard let pointer else {
            throw SQLiteError(code: .misuse, message: "the connection to \(path) is closed")
        }
        return pointer
    }

    private func apply(_ configuration: SQLiteConfiguration) throws(SQLiteError) {
        let (seconds, attoseconds) = configuration.busyTimeout.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        sqlite3_busy_timeout(try open(), Int32(clamping: milliseconds))
        if let mode = configuration.journalMode, !configuration.isReadOnly {
            try apply(mode)
        }
        var script = "PRAGMA synchronous = \(configuration.synchronous.rawValue);"
        if configuration.usesFullSync {
            script += "PRAGMA fullfsync = 1;PRAGMA checkpoint_fullfsync = 1;"
        }
        script += "PRAGMA foreign_keys = \(configuration.enforcesForeignKeys ? 1 : 0);"
        if let pages = configuration.checkpointPages {
            script += "PRAGMA wal_autocheckpoint = \(pages);"
        }
        if let bytes = configuration.cacheBytes {
            script += "PRAGMA cache_size = -\(bytes / 1_024);"
        }
        try executeScript(script)
    }

    private func apply(_ mode: SQLiteConfiguration.JournalMode) throws(SQLiteError) {
        let sql = "PRAGMA journal_mode = \(mode.rawValue)"
        let set: String
        do {
            set = try statement(sql).first { $0.text(at: 0) } ?? ""
        } catch let error as SQLiteError {
            throw error
        } catch {
            preconditionFailure("reading a row's text threw \(error)")
        }
        guard set == mode.rawValue.lowercased() else {
            throw SQLiteError(
                code: .error,
                message: "the journal mode is \(set): this file or VFS has no other",
                sql: sql
            )
        }
    }
}
