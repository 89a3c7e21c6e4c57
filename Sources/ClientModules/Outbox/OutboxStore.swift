import Foundation
import SQLiteStore

/// The outbox's tables, and every statement on them.
///
/// Kept within the actor that owns it.
struct OutboxStore {
    let connection: SQLiteConnection
    /// This process, as rows name it.
    let process: String?
    /// How long an attempt may take, in this process and in others.
    let attemptLimit: Duration

    /// Whether the tables are there, as this version has them.
    var isMade: Bool { get throws { try connection.knows(Self.headsQuery) } }

    /// Makes the tables when they are not there; part of the transaction that is open.
    func createTables() throws {
        guard try !isMade else { return }
        try connection.executeScript(Self.schema)
        guard try !isMade else { return }
        try connection.addColumn("owner TEXT", to: "outbox_intent")
    }

    /// Whether an intent of that identity is stored.
    func contains(_ identity: String) throws -> Bool {
        try connection.statement("SELECT 1 FROM outbox_intent WHERE identity = ?")
            .first(identity) { _ in true } ?? false
    }

    /// Removes what a new intent with this key replaces: never sent, not given up.
    func removeSuperseded(collapseKey: String) throws -> [String] {
        let identities = try connection.statement(
            """
            SELECT identity FROM outbox_intent
            WHERE collapse_key = ? AND attempts = 0 AND dead_reason IS NULL ORDER BY sequence
            """
        ).all(collapseKey) { $0.text(at: 0) }
        guard !identities.isEmpty else { return [] }
        try connection.execute(
            """
            DELETE FROM outbox_intent
            WHERE collapse_key = ? AND attempts = 0 AND dead_reason IS NULL
            """,
            collapseKey
        )
        return identities
    }

    /// Adds an intent at the end of its entity's queue.
    func insert(_ intent: OutboxIntent, key: String, at instant: StoredInstant) throws {
        // Without an entity an intent is a queue of its own.
        let lane = intent.entity.isEmpty ? "i/\(intent.identity)" : "e/\(intent.entity)"
        try connection.execute(
            """
            INSERT INTO outbox_intent (identity, lane, entity, collapse_key, method, path,
                content_type, body, idempotency_key, enqueued_boot, enqueued_ns, enqueued_wall_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            intent.identity,
            lane,
            intent.entity,
            intent.collapseKey,
            intent.method,
            intent.path,
            intent.contentType,
            [UInt8](intent.body),
            key,
            instant.boot,
            instant.monotonic,
            instant.wall
        )
    }

    /// The first live intent of each entity, in the order they were enqueued.
    ///
    /// Cost: one pass over an index of all live intents.
    func heads(boot: String) throws -> [OutboxHead] {
        let limit = attemptLimit.nanosecondsRounded
        return try connection.statement(Self.headsQuery).all(process, boot, limit) { row in
            let enqueued = StoredInstant(
                boot: row.text(at: 1),
                monotonic: row.integer(at: 2),
                wall: row.integer(at: 3)
            )
            return OutboxHead(
                sequence: row.integer(at: 0),
                idempotencyKey: row.text(at: 5),
                enqueued: enqueued,
                theirs: row.optionalInteger(at: 4).map { .nanoseconds($0) }
            )
        }
    }

    /// One intent with all that is known of it; nil when it is gone or given up.
    func row(_ sequence: Int64, boot: String) throws -> OutboxRow? {
        try connection.statement(
            """
            SELECT \(Self.columns), \(Self.theirs) FROM outbox_intent
            WHERE sequence = ?4 AND dead_reason IS NULL
            """
        ).first(process, boot, attemptLimit.nanosecondsRounded, sequence) { row in
            var read = Self.read(row)
            read.theirs = row.optionalInteger(at: 19).map { .nanoseconds($0) }
            return read
        }
    }

    /// Live intents in the order they were enqueued, with whether each is in flight.
    func live(limit: Int) throws -> [OutboxRow] {
        try connection.statement(
            """
            SELECT \(Self.columns) FROM outbox_intent WHERE dead_reason IS NULL
            ORDER BY sequence LIMIT ?
            """
        ).all(limit, body: Self.read)
    }

    /// How many intents are live.
    func liveCount() throws -> Int {
        try connection.statement("SELECT count(*) FROM outbox_intent WHERE dead_reason IS NULL")
            .first { Int($0.integer(at: 0)) } ?? 0
    }

    /// Whether the intent is as `row` has it: no process has attempted, ended or replaced it since.
    func holds(_ row: OutboxRow) throws -> Bool {
        try connection.statement(
            """
            SELECT 1 FROM outbox_intent WHERE sequence = ? AND idempotency_key = ? AND attempts = ?
                AND dead_reason IS NULL
            """
        ).first(row.sequence, row.idempotencyKey, row.attempts) { _ in true } ?? false
    }

    /// Notes that an attempt is about to start; from here on it may have taken effect.
    ///
    /// Until the claim ends no other process attempts it. For an intent in flight, `due_ns` is that end; of a
    /// first attempt `first_sent_ns` says it as well, and the row does not grow. False if the intent is not as `row`
    /// has it any more: another process was faster.
    func markInFlight(
        _ row: OutboxRow,
        at instant: StoredInstant,
        claim: ProcessClaim
    ) throws -> Bool {
        let first = row.firstSent ?? instant
        try connection.execute(
            """
            UPDATE outbox_intent SET is_in_flight = 1, may_have_acted = 1, attempts = attempts + 1,
                first_sent_boot = ?, first_sent_ns = ?, first_sent_wall_ms = ?,
                owner = ?, due_boot = iif(first_sent_boot IS NULL, due_boot, ?),
                due_ns = iif(first_sent_boot IS NULL, due_ns, ?)
            WHERE sequence = ? AND idempotency_key = ? AND attempts = ? AND dead_reason IS NULL
            """,
            first.boot,
            first.monotonic,
            first.wall,
            claim.storedOwner,
            claim.boot,
            claim.until,
            row.sequence,
            row.idempotencyKey,
            row.attempts
        )
        return connection.changes > 0
    }

    /// Notes that an attempt failed and when the next may start; false if another process has begun a later one.
    func recordFailure(_ record: OutboxFailureRecord, boot: String) throws -> Bool {
        // A refusal takes the pessimism of the mark back: nothing may have acted, no key is in use.
        try connection.execute(
            """
            UPDATE outbox_intent SET is_in_flight = 0, failures = ?1, refusals = ?2,
                may_have_acted = ?3, due_boot = ?4, due_ns = ?5, due_after_ns = ?7,
                first_sent_boot = iif(?3, first_sent_boot, NULL),
                first_sent_ns = iif(?3, first_sent_ns, NULL),
                first_sent_wall_ms = iif(?3, first_sent_wall_ms, NULL)
            WHERE sequence = ?6 AND attempts = ?8 AND idempotency_key = ?9
            """,
            record.failures,
            record.refusals,
            record.mayHaveActed,
            boot,
            record.dueAt.nanosecondsRounded,
            record.sequence,
            record.wait.nanosecondsRounded,
            record.attempts,
            record.idempotencyKey
        )
        return connection.changes > 0
    }

    /// Gives every intent that was in flight when the last launch ended back to the queue.
    ///
    /// They may have taken effect. Each counts a failure, so that an intent whose very sending kills
    /// the app is not sent at once by every launch. What another process has in flight stays its own until its
    /// claim ends.
    func resetInFlight() throws {
        try connection.execute(
            """
            UPDATE outbox_intent SET is_in_flight = 0, failures = failures + 1, due_boot = NULL
            WHERE is_in_flight = 1 AND owner IS ?
            """,
            process
        )
    }

    /// Waits that an earlier launch left.
    func storedWaits(boot: String) throws -> [StoredWait] {
        try connection.statement(
            """
            SELECT sequence, failures, iif(due_boot = ?, due_ns, NULL),
                iif(due_boot IS NULL, NULL, due_after_ns)
            FROM outbox_intent
            WHERE failures > 0 AND dead_reason IS NULL ORDER BY sequence
            """
        ).all(boot) { StoredWait($0) }
    }

    /// Removes an intent that the server has, whoever sent it; false if it is gone or given up already.
    func remove(_ row: OutboxRow) throws -> Bool {
        try connection.execute(
            """
            DELETE FROM outbox_intent
            WHERE sequence = ? AND idempotency_key = ? AND dead_reason IS NULL
            """,
            row.sequence,
            row.idempotencyKey
        )
        return connection.changes > 0
    }

    /// The columns beside a min() are those of the row that has it (sqlite.org/lang_select.html, 2.4).
    private static let headsQuery = """
        SELECT min(sequence), enqueued_boot, enqueued_ns, enqueued_wall_ms, \(theirs), idempotency_key
        FROM outbox_intent WHERE dead_reason IS NULL GROUP BY lane ORDER BY 1
        """

    private static let schema = """
        CREATE TABLE IF NOT EXISTS outbox_intent (
            sequence INTEGER PRIMARY KEY,
            identity TEXT NOT NULL UNIQUE,
            lane TEXT NOT NULL,
            entity TEXT NOT NULL,
            collapse_key TEXT,
            method TEXT NOT NULL,
            path TEXT NOT NULL,
            content_type TEXT NOT NULL,
            body BLOB NOT NULL,
            idempotency_key TEXT NOT NULL,
            enqueued_boot TEXT NOT NULL,
            enqueued_ns INTEGER NOT NULL,
            enqueued_wall_ms INTEGER NOT NULL,
            first_sent_boot TEXT,
            first_sent_ns INTEGER,
            first_sent_wall_ms INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            refusals INTEGER NOT NULL DEFAULT 0,
            is_in_flight INTEGER NOT NULL DEFAULT 0,
            may_have_acted INTEGER NOT NULL DEFAULT 0,
            due_boot TEXT,
            due_ns INTEGER,
            due_after_ns INTEGER,
            dead_reason TEXT,
            dead_status INTEGER,
            owner TEXT
        );
        CREATE INDEX IF NOT EXISTS outbox_intent_lane
            ON outbox_intent (lane, sequence) WHERE dead_reason IS NULL;
        CREATE INDEX IF NOT EXISTS outbox_intent_collapse
            ON outbox_intent (collapse_key) WHERE collapse_key IS NOT NULL;
        CREATE TABLE IF NOT EXISTS outbox_state (
            name TEXT PRIMARY KEY,
            number INTEGER NOT NULL,
            boot TEXT NOT NULL DEFAULT ''
        ) WITHOUT ROWID;
        """

    static let columns = """
        sequence, identity, entity, collapse_key, method, path, content_type, body,
        idempotency_key, enqueued_boot, enqueued_ns, enqueued_wall_ms, first_sent_boot,
        first_sent_ns, first_sent_wall_ms, attempts, failures, refusals, may_have_acted
        """

    /// When what another process does with an intent is over: its attempt, or the wait after it; NULL for one's own.
    ///
    /// ?1 is this process, ?2 the boot, ?3 how long an attempt may take. One column: SQLite keeps a third of a
    /// kilobyte for each.
    private static let theirs = """
        iif(owner IS ?1, NULL, max(iif(due_boot IS ?2, due_ns, 0),
            iif(is_in_flight AND first_sent_boot IS ?2, first_sent_ns + ?3, 0)))
        """

    static func read(_ row: SQLiteRow) -> OutboxRow {
        let firstSent = row.optionalText(at: 12).map {
            StoredInstant(boot: $0, monotonic: row.integer(at: 13), wall: row.integer(at: 14))
        }
        return OutboxRow(
            sequence: row.integer(at: 0),
            intent: OutboxIntent(
                identity: row.text(at: 1),
                entity: row.text(at: 2),
                collapseKey: row.optionalText(at: 3),
                method: row.text(at: 4),
                path: row.text(at: 5),
                contentType: row.text(at: 6),
                body: row.withBlob(at: 7) { Data($0) }
            ),
            idempotencyKey: row.text(at: 8),
            enqueued: StoredInstant(
                boot: row.text(at: 9),
                monotonic: row.integer(at: 10),
                wall: row.integer(at: 11)
            ),
            firstSent: firstSent,
            attempts: Int(row.integer(at: 15)),
            failures: Int(row.integer(at: 16)),
            refusals: Int(row.integer(at: 17)),
            mayHaveActed: row.bool(at: 18)
        )
    }
}
