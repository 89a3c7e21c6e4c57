import SQLiteStore

/// What concerns several processes on one database.
extension SessionStore {
    private static let claimQuery = "SELECT owner, boot, until_ns FROM session_claim"

    /// Whether a process beside the app itself has ever opened the database.
    func isShared() throws -> Bool { try connection.knows(Self.claimQuery) }

    /// Notes that the database is shared from now on; part of the transaction that is open.
    ///
    /// An app that is refreshing has claimed nothing so far: `grace` stands for that.
    func beginSharing(grace: ProcessClaim) throws {
        guard try !isShared() else { return }
        try connection.executeScript(
            """
            CREATE TABLE session_claim (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                owner TEXT,
                boot TEXT NOT NULL,
                until_ns INTEGER NOT NULL
            )
            """
        )
        try put(grace)
    }

    /// Who refreshes, or did last.
    func claim() throws -> ProcessClaim? {
        try connection.statement(Self.claimQuery).first { row in
            ProcessClaim(
                owner: row.optionalText(at: 0),
                boot: row.text(at: 1),
                until: row.integer(at: 2)
            )
        } ?? nil
    }

    /// Takes the refresh for a process.
    func put(_ claim: ProcessClaim) throws {
        try connection.execute(
            "INSERT OR REPLACE INTO session_claim (id, owner, boot, until_ns) VALUES (1, ?, ?, ?)",
            claim.storedOwner,
            claim.boot,
            claim.until
        )
    }

    /// The process does not refresh any more; what another has taken since stays.
    func endClaim(of owner: String?) throws {
        try connection.execute("DELETE FROM session_claim WHERE owner IS ?", owner)
    }

    /// Until when the server asked not to be asked, where that was in this boot; nil for no such wish.
    func pauseEnd(by clock: any ClientClock) throws -> Duration? {
        try connection.statement("SELECT paused_until_ns FROM session WHERE paused_boot = ?")
            .first(clock.bootIdentifier) { .nanoseconds($0.integer(at: 0)) }
    }
}
