import Foundation
import SQLiteStore

/// The uploader's tables, and every statement on them.
///
/// Kept within the actor that owns it.
struct UploadStore {
    let connection: SQLiteConnection

    /// Whether the tables are there, as this version has them.
    var isMade: Bool {
        get throws { try connection.knows("SELECT owner FROM upload_file") }
    }

    /// Makes the tables when they are not there; part of the transaction that is open.
    func createTables() throws {
        guard try !isMade else { return }
        try connection.executeScript(Self.schema)
        guard try !isMade else { return }
        try connection.addColumn("owner TEXT", to: "upload_file")
    }

    /// Where an upload stands.
    func status(_ identity: String) throws -> UploadStatus {
        try connection.statement(
            "SELECT outcome, outcome_status, location FROM upload_file WHERE identity = ?"
        ).first(identity) { row in
            Self.status(
                outcome: row.optionalText(at: 0),
                status: Int(row.integer(at: 1)),
                location: row.optionalText(at: 2).flatMap { URL(string: $0) }
            )
        } ?? .unknown
    }

    /// Keeps a promise, in the place of one of the same identity that has failed.
    func insert(
        _ source: UploadSource,
        found: FileMetadata,
        key: String,
        at instant: StoredInstant,
        owner: String?,
        claim: ProcessClaim?
    ) throws {
        try connection.execute("DELETE FROM upload_file WHERE identity = ?", source.identity)
        try connection.execute(
            """
            INSERT INTO upload_file (identity, file, size, inode, modified_ns, metadata,
                creation_key, promised_boot, promised_ns, promised_wall_ms, owner, due_boot, due_ns)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            source.identity,
            source.file,
            found.size,
            Int64(bitPattern: found.identity),
            found.modifiedNanoseconds,
            TusRequests.metadata(for: source),
            key,
            instant.boot,
            instant.monotonic,
            instant.wall,
            owner,
            claim?.boot,
            claim?.until
        )
    }

    /// Uploads that have not ended, in the order they were promised.
    func active() throws -> [UploadRow] {
        try connection.statement(
            "SELECT \(Self.columns) FROM upload_file WHERE outcome IS NULL ORDER BY sequence"
        ).all(body: Self.read)
    }

    /// One upload that has not ended; nil when it has, or is forgotten.
    func row(_ sequence: Int64) throws -> UploadRow? {
        try connection.statement(
            "SELECT \(Self.columns) FROM upload_file WHERE sequence = ? AND outcome IS NULL"
        ).first(sequence, body: Self.read)
    }

    /// The upload of an identity, if it has not ended.
    func row(named identity: String) throws -> UploadRow? {
        try connection.statement(
            "SELECT \(Self.columns) FROM upload_file WHERE identity = ? AND outcome IS NULL"
        ).first(identity, body: Self.read)
    }

    /// Keeps the server's address of an upload, if it is still of this owner.
    func setLocation(
        _ sequence: Int64,
        _ location: URL,
        owner: String?,
        claim: ProcessClaim?
    ) throws {
        try connection.execute(
            """
            UPDATE upload_file SET location = ?1, failures = 0, due_boot = ?2,
                due_ns = coalesce(?3, due_ns)
            WHERE sequence = ?4 AND owner IS ?5
            """,
            location.absoluteString,
            claim?.boot,
            claim?.until,
            sequence,
            owner
        )
    }

    /// Begins an upload again under another key.
    func recreate(_ sequence: Int64, key: String, owner: String?) throws {
        try connection.execute(
            """
            UPDATE upload_file SET location = NULL, creation_key = ?, recreations = recreations + 1
            WHERE sequence = ? AND owner IS ?
            """,
            key,
            sequence,
            owner
        )
    }

    /// Notes that an attempt failed and when the next may start.
    func recordFailure(
        _ sequence: Int64,
        failures: Int,
        dueAt: Duration,
        wait: Duration,
        boot: String,
        owner: String?
    ) throws {
        try connection.execute(
            """
            UPDATE upload_file SET failures = ?, due_ns = ?, due_after_ns = ?, due_boot = ?
            WHERE sequence = ? AND owner IS ?
            """,
            failures,
            dueAt.nanosecondsRounded,
            wait.nanosecondsRounded,
            boot,
            sequence,
            owner
        )
    }

    /// Notes how an upload ended; nil for a success.
    func end(_ sequence: Int64, _ failure: UploadFailure?) throws {
        try connection.execute(
            "UPDATE upload_file SET outcome = ?, outcome_status = ? WHERE sequence = ?",
            failure?.name ?? "finished",
            failure?.status,
            sequence
        )
    }

    /// Ends that the observer may not have heard of.
    func unannounced() throws -> [(sequence: Int64, identity: String, status: UploadStatus)] {
        try connection.statement(
            """
            SELECT sequence, identity, outcome, outcome_status, location FROM upload_file
            WHERE outcome IS NOT NULL AND is_announced = 0 ORDER BY sequence
            """
        ).all { row in
            let status = Self.status(
                outcome: row.optionalText(at: 2),
                status: Int(row.integer(at: 3)),
                location: row.optionalText(at: 4).flatMap { URL(string: $0) }
            )
            return (row.integer(at: 0), row.text(at: 1), status)
        }
    }

    /// Notes that the observer has heard of an end.
    func setAnnounced(_ sequence: Int64) throws {
        try connection.execute(
            "UPDATE upload_file SET is_announced = 1 WHERE sequence = ?",
            sequence
        )
    }

    /// Waits that an earlier launch left.
    func storedWaits(boot: String) throws -> [StoredWait] {
        try connection.statement(
            """
            SELECT sequence, failures, iif(due_boot = ?, due_ns, NULL),
                iif(due_boot IS NULL, NULL, due_after_ns)
            FROM upload_file
            WHERE failures > 0 AND outcome IS NULL ORDER BY sequence
            """
        ).all(boot) { StoredWait($0) }
    }

    /// Removes all that is known of an identity.
    func remove(_ identity: String) throws {
        try connection.execute("DELETE FROM upload_file WHERE identity = ?", identity)
    }

    /// A number that outlives the launch.
    ///
    /// With a boot, only if it was kept in that one.
    func state(_ name: String, boot: String = "") throws -> Int64? {
        try connection.statement("SELECT number FROM upload_state WHERE name = ? AND boot = ?")
            .first(name, boot) { $0.integer(at: 0) }
    }

    /// Keeps a number.
    func setState(_ name: String, _ number: Int64, boot: String = "") throws {
        try connection.execute(
            "INSERT OR REPLACE INTO upload_state (name, number, boot) VALUES (?, ?, ?)",
            name,
            number,
            boot
        )
    }

    private static let schema = """
        CREATE TABLE IF NOT EXISTS upload_file (
            -- Never used twice: what still runs for an upload that was taken back must not meet another.
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            identity TEXT NOT NULL UNIQUE,
            file TEXT NOT NULL,
            size INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            modified_ns INTEGER NOT NULL,
            metadata TEXT NOT NULL,
            creation_key TEXT NOT NULL,
            location TEXT,
            recreations INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            promised_boot TEXT NOT NULL,
            promised_ns INTEGER NOT NULL,
            promised_wall_ms INTEGER NOT NULL,
            due_boot TEXT,
            due_ns INTEGER,
            due_after_ns INTEGER,
            outcome TEXT,
            outcome_status INTEGER,
            is_announced INTEGER NOT NULL DEFAULT 0,
            owner TEXT
        );
        CREATE TABLE IF NOT EXISTS upload_state (
            name TEXT PRIMARY KEY,
            number INTEGER NOT NULL,
            boot TEXT NOT NULL DEFAULT ''
        ) WITHOUT ROWID;
        """

    private static let columns = """
        sequence, identity, file, size, inode, modified_ns, metadata, creation_key, location,
        recreations, failures, promised_boot, promised_ns, promised_wall_ms
        """

    private static func read(_ row: SQLiteRow) -> UploadRow {
        UploadRow(
            sequence: row.integer(at: 0),
            identity: row.text(at: 1),
            file: row.text(at: 2),
            source: FileMetadata(
                size: row.integer(at: 3),
                identity: UInt64(bitPattern: row.integer(at: 4)),
                modifiedNanoseconds: row.integer(at: 5)
            ),
            metadata: row.text(at: 6),
            creationKey: row.text(at: 7),
            location: row.optionalText(at: 8).flatMap { URL(string: $0) },
            recreations: Int(row.integer(at: 9)),
            failures: Int(row.integer(at: 10)),
            promised: StoredInstant(
                boot: row.text(at: 11),
                monotonic: row.integer(at: 12),
                wall: row.integer(at: 13)
            )
        )
    }

    private static func status(outcome: String?, status: Int, location: URL?) -> UploadStatus {
        guard let outcome else { return .pending }
        guard outcome != "finished" else { return .finished(location: location) }
        return .failed(UploadFailure(name: outcome, status: status))
    }
}
