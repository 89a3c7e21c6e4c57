import SQLiteStore

/// The only row of a stored pause, and every statement on it.
///
/// Kept within the actor that owns it.
struct ServerPauseStore {
    /// What a server asked.
    struct Row: Sendable, Equatable {
        /// When it ends, on the monotonic clock of the boot.
        var until: Duration
        /// How long it was when it was stored.
        var length: Duration
        /// The status of the answer that asked.
        var status: Int
        /// Names the boot.
        var boot: String
    }

    let connection: SQLiteConnection

    /// Opens the database, and makes it where it is not there.
    init(_ environment: ClientEnvironment, _ database: String) throws {
        connection = try environment.openDatabase(database)
        guard try !connection.knows(Self.rowQuery) else { return }
        try connection.transaction {
            try connection.executeScript(
                """
                CREATE TABLE IF NOT EXISTS server_pause (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    until_ns INTEGER NOT NULL,
                    length_ns INTEGER NOT NULL,
                    status INTEGER NOT NULL,
                    boot TEXT NOT NULL
                );
                """
            )
        }
    }

    private static let rowQuery =
        "SELECT until_ns, length_ns, status, boot FROM server_pause"

    /// What is stored; nil for no wish.
    func row() throws -> Row? {
        try connection.statement(Self.rowQuery).first { row in
            Row(
                until: .nanoseconds(row.integer(at: 0)),
                length: .nanoseconds(row.integer(at: 1)),
                status: Int(row.integer(at: 2)),
                boot: row.text(at: 3)
            )
        }
    }

    /// Keeps what was asked, in place of what was asked before; a longer one of another process stays.
    func put(_ row: Row) throws {
        try connection.execute(
            """
            INSERT INTO server_pause (id, until_ns, length_ns, status, boot)
            VALUES (1, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET until_ns = excluded.until_ns,
                length_ns = excluded.length_ns, status = excluded.status, boot = excluded.boot
            WHERE boot <> excluded.boot OR until_ns < excluded.until_ns
            """,
            row.until.nanosecondsRounded,
            row.length.nanosecondsRounded,
            row.status,
            row.boot
        )
    }

    /// The time of what ended then is over; a longer one of another process stays.
    func clear(_ until: Duration) throws {
        try connection.execute(
            "DELETE FROM server_pause WHERE until_ns = ?",
            until.nanosecondsRounded
        )
    }
}
