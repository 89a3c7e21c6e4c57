import SQLiteStore

/// What an outbox holds and why it is not gone yet.
public struct OutboxStatus: Sendable, Equatable {
    /// What an intent does at the moment.
    public enum Activity: Sendable, Equatable {
        /// An attempt is under way.
        case sending
        /// Its next attempt starts as soon as there is a slot.
        case ready
        /// There is no route.
        case waitingForPath
        /// Its next attempt is due after this long.
        case waiting(Duration)
        /// An earlier intent of its entity is not through.
        case behind(identity: String)
    }

    /// One intent.
    public struct Entry: Sendable, Equatable {
        /// Its identity.
        public var identity: String
        /// Its entity; empty if it has none.
        public var entity: String
        /// Attempts that were begun, over all launches.
        public var attempts: Int
        /// Time since it was enqueued.
        public var age: Duration
        /// What it does.
        public var activity: Activity
    }

    /// How many intents are pending.
    public var count: Int
    /// The first of them in the order they were enqueued.
    public var entries: [Entry]
}

extension Outbox {
    /// What is pending, oldest first, with the reason for each; at most `limit` entries.
    public func pending(limit: Int = 100) throws -> OutboxStatus {
        let clock = environment.clock
        var firsts: [String: String] = [:]
        let entries = try store.live(limit: limit).map { row in
            let intent = row.intent
            let activity: OutboxStatus.Activity
            if let first = firsts[intent.entity], !intent.entity.isEmpty {
                activity = .behind(identity: first)
            } else if inFlight.contains(row.sequence) {
                activity = .sending
            } else if !reachability.isReachable {
                activity = .waitingForPath
            } else {
                let due = max(waits[row.sequence]?.dueAt ?? .zero, pausedUntil)
                activity = due > clock.now ? .waiting(due - clock.now) : .ready
            }
            if firsts[intent.entity] == nil { firsts[intent.entity] = intent.identity }
            return OutboxStatus.Entry(
                identity: intent.identity,
                entity: intent.entity,
                attempts: row.attempts,
                age: row.enqueued.age(by: clock),
                activity: activity
            )
        }
        return OutboxStatus(count: try store.liveCount(), entries: entries)
    }

    /// Whether anything is left to send.
    ///
    /// Declared `async`: otherwise `await outbox.needsTime()` would be the protocol's default, which knows nothing.
    public func needsTime() async -> Bool {
        do { return try store.liveCount() > 0 } catch { return true }
    }

    /// What was given up, oldest first, until it is requeued or discarded.
    public func deadLetters() throws -> [OutboxDeadLetter] {
        try store.deadLetters()
    }

    /// As `deadLetters()`.
    public func givenUp() async throws -> [OutboxDeadLetter] {
        try deadLetters()
    }

    /// Gives a dead letter another life at the end of its entity's queue.
    ///
    /// `withNewKey` makes it a new intent to the server: right after a refusal, where the old key
    /// would only bring the stored refusal back. Keep the key where the intent may have taken effect.
    /// Returns whether there was such a letter.
    @discardableResult
    public func requeue(_ identity: String, withNewKey: Bool) throws -> Bool {
        let key = withNewKey ? environment.random.identifier() : nil
        let isFound = try store.connection.transaction {
            try store.revive(identity, key: key, at: StoredInstant(environment.clock))
        }
        wake.raise()
        return isFound
    }

    /// Drops a dead letter for good.
    ///
    /// Returns whether there was one.
    @discardableResult
    public func discard(_ identity: String) throws -> Bool {
        try store.connection.transaction { try store.discard(identity) }
    }
}
