import Foundation
import Quantities
import SQLiteStore

/// Uploads files in resumable chunks (tus 1.0), through lost lines, dead servers and killed processes.
///
/// ```swift
/// let uploader = try ChunkedUploader(environment: environment, configuration: .init(endpoint: url))
/// Task { await uploader.run() }                      // once a launch; cancel to stop
/// try await uploader.upload(UploadSource(file: path, identity: "photo-17"))
/// ```
///
/// **The promise.** When `upload` returns, the upload is a committed row of a database in WAL mode
/// with `synchronous = FULL`, before a byte was sent. It ends in exactly one way, which `settle`
/// learns in the transaction that ends it: finished, or failed with an `UploadFailure`. The observer
/// and `status(of:)` tell it too. The file is never copied: it has to stay in its place, unchanged.
///
/// **The server's offset is the truth.** After a launch, a broken line, a 409 or any failure the
/// uploader asks for it (HEAD) and goes on from there. Progress is told from offsets that the server
/// confirmed, and does not fall, unless the server lost the upload, which is told.
///
/// **One upload a file.** A key made with the promise goes with the creation in `Idempotency-Key`,
/// so a server that honours it answers a repeated creation with the upload it has made already.
/// tus 1.0 itself has no such rule, and servers such as tusd and tuspyserver do not honour the
/// field: there, a creation whose answer is lost leaves an empty upload behind, which expires by the
/// server's own rule. A finished or expired one (404, 410) is created again once, from zero.
///
/// **In several processes.** An app and its extensions may each run an uploader on one database, each under a name
/// of its own (`ClientEnvironment.process`). An upload is claimed by the process that is about it, for a minute at
/// a time: what a process that died had under way the others go on with when that is over. Nothing is claimed as
/// long as only the app itself has opened the database. What the system carries out is left to the process that
/// handed it over.
///
/// **Chunks** take five to ten seconds at the measured rate, within 256 KiB and 8 MiB, by default.
/// They are sent from the file; memory does not grow with it.
public actor ChunkedUploader: UploadDriving {
    let environment: ClientEnvironment
    let configuration: UploadConfiguration
    let observer: (@Sendable (UploadEvent) -> Void)?
    let store: UploadStore
    let wake = WakeSignal()

    var sizer: ChunkSizer
    /// Sizes of what is handed to the system; nil where it takes a whole file.
    var pieces: TransferSizer?
    var budget: RetryBudget?
    var inFlight: Set<Int64> = []
    var waits: [Int64: RetryWait] = [:]
    var gauges: [Int64: TransferGauge] = [:]
    /// Uploads between two drives of this run.
    var sessions: [Int64: UploadSession] = [:]
    var pausedUntil: Duration = .zero
    var reachability: Reachability
    /// Uploads promised in this launch, so that no creation of theirs can have been asked for before.
    var promisedNow: Set<Int64> = []
    /// What the system reported of its transfers and nobody has taken in.
    var arrived: [String: Result<HTTPResponse, URLError>] = [:]
    /// Who waits for a transfer of the system.
    var awaited: [String: WakeSignal] = [:]
    /// Uploads that the system has in hand.
    var handedOver: Set<Int64> = []

    /// Whether other processes may be about uploads of the database too.
    var isShared = false
    /// The state of the database that was looked at last.
    var seenVersion: Int64?

    private var isRunning = false
    private var isWaitingForPath = false

    /// Opens the uploader's database; sends nothing until `run()`.
    ///
    /// Blocks for as long as the storage takes. Throws `SQLiteError`, such as on a locked device.
    /// The observer is called within the uploader, so it must not block.
    public init(
        environment: ClientEnvironment,
        configuration: UploadConfiguration,
        observer: (@Sendable (UploadEvent) -> Void)? = nil
    ) throws {
        self.environment = environment
        self.configuration = configuration
        self.observer = observer
        reachability = Reachability(environment.path.current)
        sizer = ChunkSizer(sizes: configuration.chunk, time: configuration.chunkTime)
        isShared = !environment.process.isEmpty
        let connection = try environment.openDatabase(configuration.database)
        let store = UploadStore(connection: connection)
        if try configuration.prepare != nil || !environment.process.isEmpty || !store.isMade {
            try connection.transaction {
                try store.createTables()
                if !environment.process.isEmpty {
                    let grace = ProcessClaim(environment, for: Self.claimSpan)
                    try store.beginSharing(environment.process, grace: grace)
                }
                try configuration.prepare?(connection)
            }
        }
        budget = try configuration.budget.map { budget in
            let stored = try store.state("budget_millionths")
            return RetryBudget(
                ratio: budget.ratio,
                capacity: budget.capacity,
                storedMillionths: stored ?? budget.storableMillionths
            )
        }
        if configuration.usesBackgroundTransfers,
            let limit = environment.backgroundTransfers?.timeLimit
        {
            pieces = TransferSizer(limit: limit, known: try store.state(Self.pieceState))
        }
        self.store = store
    }

    /// Promises to upload a file; when it returns, the promise is durable.
    ///
    /// An identity that is pending or finished is left as it is, so the call may be repeated after a
    /// crash; one that failed is begun anew. Throws `UploadFailure.sourceUnavailable` when there is
    /// no such file, or the storage's error; then nothing is promised.
    public func upload(_ source: UploadSource) async throws {
        switch try store.status(source.identity) {
        case .pending, .finished: return
        case .unknown, .failed: break
        }
        guard let found = try environment.files.metadata(of: source.file) else {
            throw UploadFailure.sourceUnavailable
        }
        let key = environment.random.identifier()
        let instant = StoredInstant(environment.clock)
        try store.connection.transaction {
            try store.insert(
                source,
                found: found,
                key: key,
                at: instant,
                owner: storedOwner,
                claim: ownClaim
            )
        }
        promisedNow.insert(store.connection.lastInsertedRowID)
        declareMemory()
        wake.raise()
    }

    /// Uploads until the task is cancelled; call it once a launch, in a task of its own.
    ///
    /// All of its work are child tasks of that task. A second call while one runs returns at once.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        guard await durably({ try self.beginLaunch() }) else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchPath() }
            group.addTask { await self.watchPhases() }
            group.addTask { await self.watchMemory() }
            if transfers != nil { group.addTask { await self.watchTransfers() } }
            while !Task.isCancelled {
                let (start, wakeAt) = await nextStep()
                for sequence in start {
                    inFlight.insert(sequence)
                    group.addTask { await self.drive(sequence) }
                }
                await wake.wait(until: wakeAt, clock: environment.clock)
            }
            group.cancelAll()
        }
        inFlight.removeAll()
        sessions.removeAll()
    }

    /// Where an upload stands.
    public func status(of identity: String) throws -> UploadStatus {
        try store.status(identity)
    }

    /// Forgets an upload that has ended, so that its identity may be used again.
    public func forget(_ identity: String) throws {
        guard try store.row(named: identity) == nil else { return }
        try store.connection.transaction { try store.remove(identity) }
    }

    /// Takes an upload back: nothing more of it is sent.
    ///
    /// The server is told with one DELETE (tus termination extension), if it can be reached now;
    /// otherwise what it has expires by its own rule. An upload that has ended stays as it is.
    public func cancel(_ identity: String) async throws {
        guard let row = try store.row(named: identity) else { return }
        try store.connection.transaction { try store.remove(identity) }
        waits[row.sequence] = nil
        sessions[row.sequence] = nil
        gauges[row.sequence]?.abandon()
        await cancelTransfers(of: row.sequence)
        wake.raise()
        if let location = row.location { await terminate(location) }
    }

    private func nextStep() async -> (start: [Int64], wakeAt: Duration?) {
        do {
            while !Task.isCancelled {
                let plan = try makePlan()
                for sequence in plan.expired {
                    try end(sequence, .tooOld)
                }
                guard plan.expired.isEmpty else { continue }
                tell(plan.waiting)
                return (plan.start, plan.wakeAt)
            }
        } catch {
            observer?(.storageFailed(description: "\(error)"))
            return ([], environment.clock.now + configuration.retry.ceiling)
        }
        return ([], nil)
    }

    private func makePlan() throws -> WorkPlan {
        let clock = environment.clock
        let owners = try ownerships()
        let active = try store.active().filter { !leavesToOthers(owners[$0.sequence]) }
        let items = active.map { row in
            // Another process is about it, or waits with it.
            let theirs = owners[row.sequence]?.claim?.end(for: environment) ?? .zero
            return WorkItem(
                sequence: row.sequence,
                dueAt: max(waits[row.sequence]?.dueAt ?? .zero, theirs),
                expiresAt: max(row.promised.reaches(configuration.giveUpAfter, by: clock), theirs),
                isInFlight: inFlight.contains(row.sequence)
            )
        }
        return WorkPlan(
            items: items,
            now: clock.now,
            slots: configuration.parallel,
            isReachable: reachability.isReachable,
            pausedUntil: pausedUntil
        )
    }

    /// Takes over what the last launch left.
    private func beginLaunch() throws {
        let clock = environment.clock
        for end in try store.unannounced() {
            announce(end.identity, end.status)
            try store.connection.transaction { try store.setAnnounced(end.sequence) }
        }
        if let paused = try store.state("paused_until_ns", boot: clock.bootIdentifier) {
            pausedUntil = .nanoseconds(paused)
        }
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

    private func announce(_ identity: String, _ status: UploadStatus) {
        switch status {
        case .finished: observer?(.finished(identity: identity))
        case .failed(let failure): observer?(.failed(identity: identity, failure))
        case .pending, .unknown: break
        }
    }

    private func tell(_ waiting: WaitReason?) {
        let waits = waiting == .path
        if waits, !isWaitingForPath { observer?(.waitingForPath) }
        isWaitingForPath = waits
    }
}
