import SQLiteStore

extension ClientEnvironment {
    /// Opens a database of a module, in WAL mode with every commit synced, and makes durable what it recovers:
    /// what is found will be shown, sent or confirmed as promised.
    ///
    /// Blocks for as long as the storage takes. Throws `SQLiteError`, such as on a locked device.
    func openDatabase(_ name: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: directory + "/" + name,
            vfs: sqliteVFS,
            configuration: .init(usesFullSync: true)
        )
        try connection.settleRecovered()
        return connection
    }
}
