import ClientModules
import SQLiteStore

/// What the app shows to the person as said: a table of its own, in the outbox's database.
///
/// A row here is a promise like any other: after a relaunch the person sees the message in the
/// conversation, whether or not they saw the call return.
struct Conversation: Sendable {
    private static let table =
        "CREATE TABLE IF NOT EXISTS shown_message (identity TEXT PRIMARY KEY) WITHOUT ROWID"

    /// Writes what is shown; for the transaction that stores the intent.
    static func show(_ identity: String) -> @Sendable (SQLiteConnection) throws -> Void {
        { connection in
            try connection.executeScript(table)
            try connection.execute(
                "INSERT OR IGNORE INTO shown_message (identity) VALUES (?)",
                identity
            )
        }
    }

    /// All that is shown after a launch, in order of identity.
    static func shown(in environment: ClientEnvironment, database: String) throws -> [String] {
        let connection = try SQLiteConnection(
            path: "\(environment.directory)/\(database)",
            vfs: environment.sqliteVFS
        )
        defer { connection.close() }
        let exists = try connection.statement(
            "SELECT 1 FROM sqlite_master WHERE name = 'shown_message'"
        ).first { _ in true }
        guard exists == true else { return [] }
        return try connection.statement("SELECT identity FROM shown_message ORDER BY identity")
            .all { $0.text(at: 0) }
    }
}
