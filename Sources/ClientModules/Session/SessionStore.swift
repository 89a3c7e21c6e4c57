import SQLiteStore

/// The session's only row, and every statement on it.
///
/// Kept within the actor that owns it.
struct SessionStore {
    /// What is stored of a sign-in.
    struct Row: Sendable {
        /// What the sign-in is known by.
        var identifier: String
        /// Nil when the server refused the refresh token for good, or the person signed out.
        var tokens: SessionTokens?
        /// When the tokens came.
        var obtained: StoredInstant
        /// Who signed in.
        var account: String?
    }

    let connection: SQLiteConnection

    /// Makes the table when it is not there; part of the transaction that is open.
    func createTable() throws {
        guard try !connection.knows(Self.rowQuery) else { return }
        try connection.executeScript(
            """
            CREATE TABLE IF NOT EXISTS session (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                identifier TEXT NOT NULL,
                access TEXT,
                refresh TEXT,
                access_lifetime_ns INTEGER,
                obtained_boot TEXT NOT NULL,
                obtained_ns INTEGER NOT NULL,
                obtained_wall_ms INTEGER NOT NULL,
                account TEXT,
                paused_until_ns INTEGER,
                paused_for_ns INTEGER,
                paused_boot TEXT
            );
            """
        )
    }

    private static let rowQuery = """
        SELECT identifier, access, refresh, access_lifetime_ns, obtained_boot, obtained_ns,
            obtained_wall_ms, account FROM session
        """

    /// What is stored; nil before the first sign-in.
    func row() throws -> Row? {
        try connection.statement(Self.rowQuery).first { row in
            var tokens: SessionTokens?
            if let access = row.optionalText(at: 1), let refresh = row.optionalText(at: 2) {
                tokens = SessionTokens(
                    access: access,
                    refresh: refresh,
                    accessLifetime: row.optionalInteger(at: 3).map { .nanoseconds($0) }
                )
            }
            return Row(
                identifier: row.text(at: 0),
                tokens: tokens,
                obtained: StoredInstant(
                    boot: row.text(at: 4),
                    monotonic: row.integer(at: 5),
                    wall: row.integer(at: 6)
                ),
                account: row.optionalText(at: 7)
            )
        }
    }

    /// Replaces what is stored; a pause of the server's is forgotten.
    func put(_ row: Row) throws {
        try connection.execute(
            """
            INSERT OR REPLACE INTO session (id, identifier, access, refresh, access_lifetime_ns,
                obtained_boot, obtained_ns, obtained_wall_ms, account)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            row.identifier,
            row.tokens?.access,
            row.tokens?.refresh,
            row.tokens?.accessLifetime?.nanosecondsRounded,
            row.obtained.boot,
            row.obtained.monotonic,
            row.obtained.wall,
            row.account
        )
    }

    /// Until when the server asked not to be asked; nil for no such wish.
    ///
    /// After a boot nobody knows how much of it has passed: it begins anew, whole, and is stored as that.
    func takePause(by clock: any ClientClock) throws -> Duration? {
        let boot = clock.bootIdentifier
        let stored = try connection.statement(
            """
            SELECT paused_until_ns, paused_for_ns, paused_boot FROM session
            WHERE paused_boot IS NOT NULL
            """
        ).first { row in
            (
                until: Duration.nanoseconds(row.integer(at: 0)),
                length: Duration.nanoseconds(row.integer(at: 1)), boot: row.text(at: 2)
            )
        }
        guard let stored, stored.boot != boot else { return stored?.until }
        try pause(until: clock.now + stored.length, for: stored.length, boot: boot)
        return clock.now + stored.length
    }

    /// Keeps until when the server asked not to be asked, and how long that was.
    func pause(until instant: Duration, for length: Duration, boot: String) throws {
        try connection.execute(
            "UPDATE session SET paused_until_ns = ?, paused_for_ns = ?, paused_boot = ?",
            instant.nanosecondsRounded,
            length.nanosecondsRounded,
            boot
        )
    }
}

extension SessionStore.Row {
    /// What is stored of a sign-in at first.
    init(_ signIn: SessionSignIn, at instant: StoredInstant) {
        self.init(
            identifier: signIn.identifier,
            tokens: signIn.tokens,
            obtained: instant,
            account: signIn.account
        )
    }
}
