import ClientModules
import SQLiteStore

/// What the app shows to the person as said: a table of its own, in the outbox's database.
///
/// A row here is a promise like any other: after a relaunch the person sees the message in the
/// conversation, whether or not they saw the call return.
struct Conversation: Sendable {
    private static let table =
        "CREATE TABLE IF NOT EXISTS shown_message (identity TEXT PRIMARY KEY) WITHOUT ROWID"
    private static let insertion = "INSERT OR IGNORE INTO shown_message (identity) VALUES (?)"
    private static let query = "SELECT identity FROM shown_message ORDER BY identity"

    /// Writes what is shown; for the transaction that stores the intent.
    static func show(_ identity: String) -> @Sendable (SQLiteConnection) throws -> Void {
        { connection in
            if try !connection.knows(insertion) { try connection.executeScript(table) }
            try connection.execute(insertion, identity)
        }
    }

    /// All that is shown after a launch, in order of identity.
    static func shown(in connection: SQLiteConnection) throws -> [String] {
        guard try connection.knows(query) else { return [] }
        return try connection.statement(query).all { $0.text(at: 0) }
    }

    /// As `shown(in:)`, through a connection of its own.
    static func shown(in environment: ClientEnvironment, database: String) throws -> [String] {
        let connection = try SQLiteConnection(
            path: "\(environment.directory)/\(database)",
            vfs: environment.sqliteVFS
        )
        defer { connection.close() }
        return try shown(in: connection)
    }
}
