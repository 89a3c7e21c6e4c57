import CSQLite

/// Heap memory that a connection holds, in bytes (sqlite3_db_status).
public struct SQLiteMemoryUse: Equatable, Sendable {
    /// Its page cache.
    public var cacheBytes: Int
    /// The schema, parsed.
    public var schemaBytes: Int
    /// Its compiled statements.
    public var statementBytes: Int

    /// The sum.
    public var totalBytes: Int { cacheBytes + schemaBytes + statementBytes }
}

extension SQLiteConnection {
    /// What the connection holds now; nothing when it is closed.
    public var memoryUse: SQLiteMemoryUse {
        SQLiteMemoryUse(
            cacheBytes: status(SQLITE_DBSTATUS_CACHE_USED),
            schemaBytes: status(SQLITE_DBSTATUS_SCHEMA_USED),
            statementBytes: status(SQLITE_DBSTATUS_STMT_USED)
        )
    }

    /// Gives back what can be given back: clean pages of the cache.
    public func releaseMemory() {
        if let pointer { sqlite3_db_release_memory(pointer) }
    }

    private func status(_ what: Int32) -> Int {
        guard let pointer else { return 0 }
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(pointer, what, &current, &highest, 0)
        return Int(current)
    }
}
