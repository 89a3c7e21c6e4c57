import SQLiteStore

extension HistoryArchive {
    /// Brings a file to the present version, in one transaction, whoever else is doing the same.
    static func migrate(
        _ connection: SQLiteConnection,
        path: String,
        to target: Int = HistorySchema.migrations.count
    ) throws {
        // Reading needs no lock on the writer: most openings find nothing to do. In one transaction, because
        // another process may make the archive between two looks, and half of it would look like a stranger's.
        let isReady = try connection.transaction(.deferred) {
            try isCurrent(connection, path: path, target)
        }
        if isReady { return }
        try connection.transaction(.immediate) {
            // Another process may have done it while this one waited.
            if try isCurrent(connection, path: path, target) { return }
            let version = try connection.userVersion()
            try connection.executeScript("PRAGMA application_id = \(HistorySchema.applicationID)")
            for script in HistorySchema.migrations[version..<target] {
                try connection.executeScript(script)
            }
            try connection.setUserVersion(Int32(target))
        }
    }

    /// Whether there is nothing to migrate; throws for a file that is not ours or is newer.
    private static func isCurrent(
        _ connection: SQLiteConnection,
        path: String,
        _ target: Int
    ) throws -> Bool {
        let version = try connection.userVersion()
        let identity = try connection.statement("PRAGMA application_id").first {
            Int32(truncatingIfNeeded: $0.integer(at: 0))
        }
        guard identity == HistorySchema.applicationID else {
            let tables = try connection.statement("SELECT count(*) FROM sqlite_schema").first {
                $0.integer(at: 0)
            }
            guard identity == 0, version == 0, tables == 0 else {
                throw HistoryError.foreignFile(path: path)
            }
            return false
        }
        guard version <= HistorySchema.migrations.count else {
            throw HistoryError.newerFile(
                path: path,
                version: version,
                known: HistorySchema.migrations.count
            )
        }
        return version >= target
    }
}
