import SQLiteStore

/// What concerns several processes on one database.
extension UploadStore {
    /// Whether a process beside the app itself has ever opened the database.
    func isShared() throws -> Bool {
        try connection.unkeptStatement(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'upload_sharing'"
        ).first { _ in true } ?? false
    }

    /// Notes that the database is shared from now on; part of the transaction that is open.
    ///
    /// Whoever is about an upload has claimed nothing so far: `grace` stands for that, so that it can learn of it.
    func beginSharing(_ process: String, grace: ProcessClaim) throws {
        guard try !isShared() else { return }
        try connection.executeScript("CREATE TABLE upload_sharing (process TEXT NOT NULL)")
        try connection.execute("INSERT INTO upload_sharing (process) VALUES (?)", process)
        try connection.execute(
            """
            UPDATE upload_file SET due_boot = ?1, due_ns = ?2
            WHERE outcome IS NULL AND NOT (due_boot IS ?1 AND due_ns > ?2)
            """,
            grace.boot,
            grace.until
        )
    }

    /// Who is about each upload that has not ended.
    func ownerships() throws -> [Int64: UploadOwnership] {
        let found = try connection.statement(
            "SELECT sequence, owner, due_boot, due_ns FROM upload_file WHERE outcome IS NULL"
        ).all { ($0.integer(at: 0), Self.ownership($0)) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Who is about an upload; nil when it has ended or is forgotten.
    func ownership(of sequence: Int64) throws -> UploadOwnership? {
        try connection.statement(
            """
            SELECT sequence, owner, due_boot, due_ns FROM upload_file
            WHERE sequence = ? AND outcome IS NULL
            """
        ).first(sequence) { Self.ownership($0) }
    }

    private static func ownership(_ row: SQLiteRow) -> UploadOwnership {
        let owner = row.optionalText(at: 1)
        return UploadOwnership(
            owner: owner ?? "",
            claim: ProcessClaim(
                owner: owner,
                boot: row.optionalText(at: 2),
                until: row.optionalInteger(at: 3)
            )
        )
    }

    /// Takes an upload for a process, or takes it for longer.
    func claim(_ sequence: Int64, _ claim: ProcessClaim) throws {
        try connection.execute(
            "UPDATE upload_file SET owner = ?, due_boot = ?, due_ns = ? WHERE sequence = ?",
            claim.storedOwner,
            claim.boot,
            claim.until,
            sequence
        )
    }
}
