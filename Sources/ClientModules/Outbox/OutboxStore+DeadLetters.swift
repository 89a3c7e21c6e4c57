import SQLiteStore

extension OutboxStore {
    /// Keeps an intent that was given up, out of its entity's way.
    func bury(
        _ sequence: Int64,
        _ reason: OutboxDeadLetter.Reason,
        mayHaveActed: Bool
    ) throws {
        try connection.execute(
            """
            UPDATE outbox_intent SET dead_reason = ?, dead_status = ?, may_have_acted = ?,
                is_in_flight = 0
            WHERE sequence = ?
            """,
            reason.name,
            reason.status,
            mayHaveActed,
            sequence
        )
    }

    /// What was given up, in the order it was enqueued.
    func deadLetters() throws -> [OutboxDeadLetter] {
        let first = "SELECT 1 FROM outbox_intent WHERE dead_reason IS NOT NULL LIMIT 1"
        guard try connection.unkeptStatement(first).first(body: { _ in true }) == true else {
            return []
        }
        return try connection.statement(
            """
            SELECT \(Self.columns), dead_reason, dead_status FROM outbox_intent
            WHERE dead_reason IS NOT NULL ORDER BY sequence
            """
        ).all { row in
            let read = Self.read(row)
            let reason = OutboxDeadLetter.Reason(
                name: row.text(at: 19),
                status: Int(row.integer(at: 20))
            )
            return OutboxDeadLetter(
                intent: read.intent,
                reason: reason,
                attempts: read.attempts,
                mayHaveTakenEffect: read.mayHaveActed
            )
        }
    }

    /// Gives a dead letter back to the end of its entity's queue, as new.
    ///
    /// A nil key keeps the old one. Returns whether there was such a letter.
    func revive(_ identity: String, key: String?, at instant: StoredInstant) throws -> Bool {
        try connection.execute(
            """
            UPDATE outbox_intent SET dead_reason = NULL, dead_status = NULL, failures = 0,
                refusals = 0, due_boot = NULL,
                sequence = (SELECT max(sequence) + 1 FROM outbox_intent),
                enqueued_boot = ?2, enqueued_ns = ?3, enqueued_wall_ms = ?4,
                idempotency_key = coalesce(?5, idempotency_key),
                attempts = iif(?5 IS NULL, attempts, 0),
                may_have_acted = iif(?5 IS NULL, may_have_acted, 0),
                first_sent_boot = iif(?5 IS NULL, first_sent_boot, NULL)
            WHERE identity = ?1 AND dead_reason IS NOT NULL
            """,
            identity,
            instant.boot,
            instant.monotonic,
            instant.wall,
            key
        )
        return connection.changes > 0
    }

    /// Drops a dead letter for good.
    ///
    /// Returns whether there was one.
    func discard(_ identity: String) throws -> Bool {
        try connection.execute(
            "DELETE FROM outbox_intent WHERE identity = ? AND dead_reason IS NOT NULL",
            identity
        )
        return connection.changes > 0
    }

    /// Makes an intent new to the server: another key, and nothing sent under it.
    func renewKey(_ sequence: Int64, _ key: String) throws {
        try connection.execute(
            """
            UPDATE outbox_intent SET idempotency_key = ?, may_have_acted = 0, first_sent_boot = NULL
            WHERE sequence = ?
            """,
            key,
            sequence
        )
    }

    /// A number that outlives the launch, with the boot it belongs to.
    func state(_ name: String) throws -> (number: Int64, boot: String)? {
        try connection.statement("SELECT number, boot FROM outbox_state WHERE name = ?")
            .first(name) { ($0.integer(at: 0), $0.text(at: 1)) }
    }

    /// Keeps a number.
    func setState(_ name: String, _ number: Int64, boot: String = "") throws {
        try connection.execute(
            "INSERT OR REPLACE INTO outbox_state (name, number, boot) VALUES (?, ?, ?)",
            name,
            number,
            boot
        )
    }
}

extension OutboxDeadLetter.Reason {
    /// The word that the database keeps.
    var name: String {
        switch self {
        case .refused: "refused"
        case .poison: "poison"
        case .tooOld: "too_old"
        case .keyExpired: "key_expired"
        case .unsendable: "unsendable"
        }
    }

    /// The status that belongs to it, if one does.
    var status: Int? {
        switch self {
        case .refused(let status), .poison(let status): status
        case .tooOld, .keyExpired, .unsendable: nil
        }
    }

    init(name: String, status: Int) {
        switch name {
        case "refused": self = .refused(status: status)
        case "poison": self = .poison(status: status)
        case "too_old": self = .tooOld
        case "key_expired": self = .keyExpired
        default: self = .unsendable
        }
    }
}
