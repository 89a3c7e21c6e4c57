import Foundation
import Quantities
import SQLiteStore

/// A durable queue of what a user did, each of which takes effect at the server once.
///
/// ```swift
/// let outbox = try Outbox(environment: environment, configuration: .init(server: api))
/// Task { await outbox.run() }                        // once a launch; cancel to stop
/// try await outbox.enqueue(intent) { database in     // both rows, or neither
///     try database.execute("INSERT INTO message (id, text) VALUES (?, ?)", id, text)
/// }
/// ```
///
/// **The promise.** When `enqueue` returns, the intent and the app's own row are in one committed
/// transaction of a database in WAL mode with `synchronous = FULL`: they survive the death of the
/// process and a loss of power, as far as the device keeps what it was told to sync. From then on
/// the intent ends in exactly one way, which `settle` learns in the transaction that ends it:
/// acknowledged, superseded while unsent, or given up as a dead letter. None is dropped in silence.
///
/// **Once.** An idempotency key is made at enqueue and goes with every attempt in the field
/// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07, a quoted string), so a server
/// that honours it gives one effect, however often an acknowledgement is lost or the app dies. An
/// intent that may have taken effect and has outlived the server's memory of its key is not sent
/// blindly: see `OutboxConfiguration.whenKeyMayHaveExpired`.
///
/// **Order.** Intents of one entity are sent one after another, as enqueued; entities go in parallel.
/// An intent that the server refuses for good is put aside and does not hold up the ones behind it.
///
/// **Alone.** It wakes itself: by timer, when there is a route again, when the app comes to the
/// foreground. Without a route nothing is tried and nothing wakes the device but the end of an
/// intent's time.
///
/// **Whose.** An intent is sent as whoever its transport or `authorize` speaks for. Where several accounts use
/// one app, give each an outbox of its own: another `OutboxConfiguration.database`, and the transport of
/// `Session.transport(for:)`. What somebody left behind is then kept, and sent when they are back, as them alone.
///
/// **In several processes.** An app and its extensions may each run an outbox on one database: an intent is
/// claimed for the length of an attempt in the transaction that marks it as in flight, so one process has it at a
/// time; a pause that the server asked one of them for holds for all. Each needs a name of its own
/// (`ClientEnvironment.process`). What a process that died had under way is sent by the others when its claim is
/// over: the time limit of an attempt and ten seconds. Nobody is woken by what another process enqueues.
public actor Outbox: OutboxDriving {
    let environment: ClientEnvironment
    let configuration: OutboxConfiguration
    let observer: (@Sendable (OutboxEvent) -> Void)?
    let store: OutboxStore
    let wake = WakeSignal()

    var budget: RetryBudget?
    var inFlight: Set<Int64> = []
    var waits: [Int64: RetryWait] = [:]
    var pausedUntil: Duration = .zero
    /// One request at a time after a failure, until something succeeds.
    var isProbing = false
    /// Intents that the server failed on since it last succeeded.
    var failing: Set<Int64> = []
    var reachability: Reachability
    /// The state of the database that was looked at last.
    private var seenVersion: Int64?

    private var isRunning = false
    private var lastWaiting: WaitReason?

    /// Opens the outbox's database; sends nothing until `run()`.
    ///
    /// Blocks for as long as the storage takes. Throws `SQLiteError`, such as on a locked device.
    /// The observer is called within the outbox, so it must not block.
    public init(
        environment: ClientEnvironment,
        configuration: OutboxConfiguration,
        observer: (@Sendable (OutboxEvent) -> Void)? = nil
    ) throws {
        self.environment = environment
        self.configuration = configuration
        self.observer = observer
        reachability = Reachability(environment.path.current)
        let connection = try environment.openDatabase(configuration.database)
        let store = OutboxStore(
            connection: connection,
            process: ProcessClaim.stored(environment.process),
            attemptLimit: configuration.attemptLimit
        )
        if try configuration.prepare != nil || !store.isMade {
            try connection.transaction {
                try store.createTables()
                try configuration.prepare?(connection)
            }
        }
        budget = try configuration.budget.map { budget in
            let stored = try store.state("budget_millionths")?.number
            return RetryBudget(
                ratio: budget.ratio,
                capacity: budget.capacity,
                storedMillionths: stored ?? budget.storableMillionths
            )
        }
        self.store = store
    }

    /// Promises to send an intent; when it returns, the promise is durable.
    ///
    /// The rows that `writingLocally` writes are part of the same transaction: after a crash both are
    /// there or neither. It must not begin a transaction of its own (savepoints nest). Blocks the
    /// outbox for one commit.
    ///
    /// Throws `OutboxError`, the storage's error, or what the closure threw; then nothing was written
    /// and nothing is promised.
    public func enqueue(
        _ intent: OutboxIntent,
        writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws {
        guard URL(string: intent.path, relativeTo: configuration.server) != nil else {
            throw OutboxError.badPath(intent.path)
        }
        let key = environment.random.identifier()
        let instant = StoredInstant(environment.clock)
        let superseded = try store.connection.transaction {
            let replaced = try intent.collapseKey.map(store.removeSuperseded) ?? []
            guard try !store.contains(intent.identity) else {
                throw OutboxError.identityInUse(intent.identity)
            }
            try store.insert(intent, key: key, at: instant)
            forgetWait(of: store.connection.lastInsertedRowID)
            for identity in replaced where identity != intent.identity {
                let settlement = OutboxSettlement(
                    identity: identity,
                    outcome: .superseded(by: intent.identity)
                )
                try configuration.settle?(settlement, store.connection)
            }
            try writingLocally?(store.connection)
            return replaced.filter { $0 != intent.identity }
        }
        for identity in superseded {
            observer?(.superseded(identity: identity, by: intent.identity))
        }
        observer?(.enqueued(identity: intent.identity))
        declareMemory()
        wake.raise()
    }

    /// Sends until the task is cancelled; call it once a launch, in a task of its own.
    ///
    /// All of its work are child tasks of that task. A second call while one runs returns at once:
    /// there is one drainer. What a cancelled run leaves in flight is sent again by the next.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        guard await durably({ try self.beginLaunch() }) else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchPath() }
            group.addTask { await self.watchPhases() }
            group.addTask { await self.watchMemory() }
            while !Task.isCancelled {
                let (start, wakeAt) = await nextStep()
                for head in start {
                    inFlight.insert(head.sequence)
                    group.addTask { await self.deliver(head) }
                }
                await wake.wait(until: wakeAt, clock: environment.clock)
            }
            group.cancelAll()
        }
        inFlight.removeAll()
    }

    /// Runs `body` in a transaction of the outbox's database, for tables of the app that live in it.
    public func write<Value: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws -> Value
    ) throws -> Value {
        try store.connection.transaction { try body(store.connection) }
    }

    /// Runs `body` on the outbox's connection, for what the app has in tables of its own there.
    public func read<Value: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws -> Value
    ) throws -> Value {
        try body(store.connection)
    }

    /// Plans, gives up what is too old, and returns what to start and when to wake.
    private func nextStep() async -> (start: [OutboxHead], wakeAt: Duration?) {
        do {
            while !Task.isCancelled {
                let boot = environment.clock.bootIdentifier
                try takeOthersPause()
                let heads = try store.heads(boot: boot)
                let plan = makePlan(of: heads)
                guard !plan.expired.isEmpty else {
                    tell(plan.waiting)
                    let start = Set(plan.start)
                    return (heads.filter { start.contains($0.sequence) }, plan.wakeAt)
                }
                for sequence in plan.expired {
                    if let row = try row(sequence) { try bury(row, .tooOld) }
                }
            }
        } catch {
            observer?(.storageFailed(description: "\(error)"))
            return ([], environment.clock.now + configuration.retry.ceiling)
        }
        return ([], nil)
    }

    private func makePlan(of heads: [OutboxHead]) -> WorkPlan {
        let clock = environment.clock
        let items = heads.map { head in
            // Another process's attempt, or the wait after it.
            let theirs = head.theirs ?? .zero
            return WorkItem(
                sequence: head.sequence,
                dueAt: max(waits[head.sequence]?.dueAt ?? .zero, theirs),
                expiresAt: max(
                    head.enqueued.reaches(configuration.giveUpAfter, by: clock),
                    theirs
                ),
                isInFlight: inFlight.contains(head.sequence)
            )
        }
        return WorkPlan(
            items: items,
            now: clock.now,
            slots: isProbing ? 1 : configuration.parallel,
            isReachable: reachability.isReachable,
            pausedUntil: pausedUntil
        )
    }

    /// An intent as it is now; nil when it is gone or given up.
    func row(_ sequence: Int64) throws -> OutboxRow? {
        try store.row(sequence, boot: environment.clock.bootIdentifier)
    }

    /// A pause that the server asked another process for is one for this process too.
    private func takeOthersPause() throws {
        let version = try store.connection.dataVersion()
        guard version != seenVersion else { return }
        try takeStoredPause()
        seenVersion = version
    }

    private func takeStoredPause() throws {
        guard let paused = try store.state("paused_until_ns"),
            paused.boot == environment.clock.bootIdentifier
        else { return }
        pausedUntil = max(pausedUntil, .nanoseconds(paused.number))
    }

    /// A sequence may have been that of an intent which another process ended.
    private func forgetWait(of sequence: Int64) {
        waits[sequence] = nil
        failing.remove(sequence)
    }

    /// Takes over what the last launch left.
    private func beginLaunch() throws {
        let clock = environment.clock
        try store.connection.transaction { try store.resetInFlight() }
        try takeStoredPause()
        for wait in try store.storedWaits(boot: clock.bootIdentifier) {
            let due = wait.due(
                from: clock.now,
                fresh: configuration.retry.wait(
                    beforeRetry: wait.failures,
                    random: environment.random
                )
            )
            waits[wait.sequence] = RetryWait(
                dueAt: due,
                kind: .ambiguous,
                isOfEarlierBoot: wait.isOfEarlierBoot
            )
        }
        declareMemory()
    }

    private func tell(_ waiting: WaitReason?) {
        defer { lastWaiting = waiting }
        guard let waiting, waiting.kind != lastWaiting?.kind else { return }
        observer?(.waiting(waiting))
    }
}
