import ClientModules
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import ServerModel
import SimulationKernel
import Trace

/// Does to one phone and its server what the profile declared, where it declared it, and keeps account.
///
/// A fleet has one for each phone, which counts that phone's anchors, and one for the server.
/// Nothing here is drawn while the run goes on but the instants of `randomly_every`, which come
/// from a stream of their own: taking one fault out moves no other.
final class FaultEngine: ObservationSink {
    unowned let world: World
    unowned let phone: Phone
    /// The device that faults are reported for.
    private let device: Int
    let entries: [FaultEntry]
    /// How often each anchor was passed.
    private(set) var anchorCounts: [FaultAnchor: Int] = [:]
    private var spent: Set<Int> = []
    /// Whether everything has healed: nothing fires any more.
    private(set) var isHealed = false
    /// Failures of the disk that stand for a locked phone.
    var lockedFiles: [Int] = []
    /// Backups that are to be restored, by the entry that does it.
    var backups: [Int: Backup] = [:]
    /// Told where commits are written; nil unless a census is taken.
    var census: CensusTaker?

    init(world: World, phone: Phone, device: Int, entries: [FaultEntry]) {
        self.world = world
        self.phone = phone
        self.device = device
        self.entries = entries
    }

    /// Sets everything up that does not wait for an anchor.
    func arm() {
        for entry in entries {
            if case .restoreBackup(let taken, _) = entry.effect {
                planBackup(entry, taken: taken)
            }
            switch entry.placement {
            case .at(let instant):
                world.schedule(at: .zero + instant) { [self] in fire(entry) }
            case .after, .during, .inside:
                break
            case .request(let route, let nth):
                arm(entry, route: route, nth: nth)
            case .poisson(let mean):
                let entity = "\(phone.identity.prefix)\(entry.index)"
                var draws = world.simulation.stream("faults", entity: entity)
                scheduleNext(entry, mean: mean, draws: &draws)
            }
        }
    }

    /// Loses the response to one request, whatever its route: the server has acted on it.
    func loseResponse(toRequest number: Int) {
        phone.network.intercept(
            ExchangeInterception(
                nth: number,
                loss: .response(afterBytes: 0),
                matches: { _ in true }
            )
        )
    }

    /// Everything heals: what has not fired by now will not.
    func heal() {
        isHealed = true
        phone.network.heal()
        if world.phones.count == 1 { world.server.restoreService() }
        phone.disk.setFree(nil)
        phone.memory.setSystemPressure(.normal)
        phone.second.end(.systemKill)
        unlockFiles()
        guard let system = phone.system else { return phone.launch(.userOpened) }
        if world.playsApp { system.openForGood() }
    }

    private func scheduleNext(_ entry: FaultEntry, mean: Duration, draws: inout RandomStream) {
        var stream = draws
        let due = world.simulation.instant + stream.exponential(mean: mean)
        world.schedule(at: due) { [self] in
            guard !isHealed else { return }
            fire(entry)
            scheduleNext(entry, mean: mean, draws: &stream)
        }
    }

    // MARK: Anchors

    /// Counts an anchor and fires what waits for this count.
    func anchor(_ anchor: FaultAnchor) {
        anchorCounts[anchor, default: 0] += 1
        let count = anchorCounts[anchor, default: 0]
        guard !isHealed else { return }
        for entry in entries where entry.placement == .after(anchor, nth: count) {
            // After what is going on now, but before time moves on.
            world.schedule(at: world.simulation.instant) { [self] in fire(entry) }
        }
    }

    /// A response's head reached the app.
    func responseArrived(status: Int, number: Int64, request: HTTPRequest, launch: LaunchSeams?) {
        phone.operations.answered(request, status: status)
        if status == 429 || status == 503 {
            launch?.wasAskedToWait(by: number)
            for index in backups.keys { backups[index]?.unknownWaits.append(number) }
        }
        anchor(.responseReceived)
        if request.method == "PATCH", status == 204 { anchor(.uploadChunkAcknowledged) }
    }

    /// A write transaction of a database went on: a death in it lands before the write.
    func transaction(_ event: DiskTransactionEvent) {
        switch event {
        case .began:
            break
        case .writing(let database, let ordinal, let index):
            tellCensus(CensusTaker.CommitPlace(database: database, commit: ordinal, write: index))
            guard !isHealed else { return }
            for entry in entries {
                guard case .during(let anchor, let nth, let effect) = entry.placement,
                    nth == ordinal, effect == index, anchor.database(matches: database)
                else { continue }
                // A commit that was cut keeps its number for the next try: once is enough.
                guard spent.insert(entry.index).inserted else { continue }
                let writer = phone.second.isCurrent ? " by the second process" : ""
                let detail = "before write \(index) of commit \(ordinal) of \(database)\(writer)"
                world.schedule(at: world.simulation.now) { [self] in note(entry, detail) }
                phone.dieInside(
                    entry.kind.exitCause,
                    relaunchAfter: entry.effect.duration
                )
            }
        case .ended(let database, _, let committed):
            guard committed else { return }
            world.report(.committed(database: database), device: device)
        case .cut:
            break
        }
    }

    private func tellCensus(_ place: CensusTaker.CommitPlace) {
        // Places are named by launches of the app itself.
        guard let census, !phone.second.isCurrent, let incarnation = phone.launch?.incarnation
        else { return }
        census.writing(place, launch: incarnation.number, effect: incarnation.effectCount + 1)
    }

    // MARK: The stream

    /// Finds anchors in what is observed.
    func observe(_ record: TraceRecord) {
        switch record.observation {
        case .requestStarted: anchor(.requestSent)
        case .serverEffect: anchor(.serverEffect)
        case .committed(let database): committed(database)
        case .serverUpload(let event): uploadChanged(event)
        default: break
        }
    }

    /// No anchor is a packet, and most of what is observed are packets.
    var takesPackets: Bool { false }

    /// Nothing to do: accounts are kept by the judge.
    func finish(at end: SimulationInstant) {}

    private func committed(_ database: String) {
        anchor(.databaseCommit)
        if FaultAnchor.outboxCommit.database(matches: database) { anchor(.outboxCommit) }
        if FaultAnchor.uploadCommit.database(matches: database) { anchor(.uploadCommit) }
    }

    private func uploadChanged(_ event: ServerUploadEvent) {
        switch event.kind {
        case .created: anchor(.uploadCreated)
        case .completed: anchor(.uploadCompleted)
        case .appended, .expired, .terminated: break
        }
    }

    // MARK: Effects

    func note(_ entry: FaultEntry, _ detail: String) {
        world.report(
            .fault(index: entry.index, .fired(detail: detail)),
            device: device
        )
    }

    func absorb(_ entry: FaultEntry, _ reason: String) {
        world.report(
            .fault(index: entry.index, .absorbed(reason: reason)),
            device: device
        )
    }

    func healed(_ entry: FaultEntry, after span: Duration) {
        world.schedule(at: world.simulation.instant + span) { [self] in
            world.report(.fault(index: entry.index, .healed), device: device)
        }
    }

    private func arm(_ entry: FaultEntry, route: String?, nth: Int) {
        switch entry.effect {
        case .loseResponse(let bytes, let aftermath):
            intercept(entry, route, nth, .response(afterBytes: bytes), aftermath)
        case .loseRequest(let bytes, let aftermath):
            let loss: ExchangeInterception.Loss =
                bytes > 0 ? .requestBody(afterBytes: bytes) : .request
            intercept(entry, route, nth, loss, aftermath)
        case .answerError(let script):
            world.server.add(script) { [self] in note(entry, "answered \(script.status)") }
        default:
            preconditionFailure("\(entry.kind.rawValue) cannot be placed on a request")
        }
    }

    private func intercept(
        _ entry: FaultEntry,
        _ route: String?,
        _ nth: Int,
        _ loss: ExchangeInterception.Loss,
        _ aftermath: LossAftermath
    ) {
        let server = world.server
        phone.network.intercept(
            ExchangeInterception(
                nth: nth,
                loss: loss,
                aftermath: aftermath.ofNetwork,
                matches: { head in route.map { server.routeName(of: head) == $0 } ?? true },
                fired: { [self] number in note(entry, "request \(number)") }
            )
        )
    }

    private func refuse(
        _ entry: FaultEntry,
        status: Int,
        retryAfter: Duration?,
        route: String?,
        for span: Duration
    ) {
        world.server.setUnavailable(
            status: status,
            retryAfter: retryAfter,
            route: route,
            until: world.simulation.instant + span
        )
        note(entry, "the server answered \(status)")
        healed(entry, after: span)
    }

    private func fire(_ entry: FaultEntry) {
        let now = world.simulation.instant
        switch entry.effect {
        case .killProcess(let relaunch):
            guard phone.kill(.injectedKill, relaunchAfter: relaunch) else {
                return absorb(entry, "the app was not running")
            }
            note(entry, "the app was killed")
        case .forceQuit(let relaunch):
            guard phone.swipeAway(relaunchAfter: relaunch) else {
                return absorb(entry, "the app was not running")
            }
            note(entry, "the app was swiped away")
        case .interruptNetwork(let kind, let span):
            phone.network.interrupt(kind, for: span)
            note(entry, "the path was \(kind.rawValue)")
            healed(entry, after: span)
        case .resetConnections:
            phone.network.dropConnections()
            note(entry, "open connections were reset")
        case .refuse(let status, let retryAfter, let route, let span):
            refuse(entry, status: status, retryAfter: retryAfter, route: route, for: span)
        case .fillDisk(let free, let span):
            phone.disk.setFree(free)
            note(entry, "\(free) were free")
            healed(entry, after: span)
            world.schedule(at: now + span) { [phone] in phone.disk.setFree(nil) }
        case .pressMemory(let level, let span):
            phone.memory.setSystemPressure(level)
            note(entry, "memory pressure was \(level.rawValue)")
            healed(entry, after: span)
            world.schedule(at: now + span) { [phone] in
                phone.memory.setSystemPressure(.normal)
            }
        case .losePower(let relaunch):
            phone.losePower(relaunchAfter: relaunch)
            note(entry, "the phone lost power")
        case .jumpClock(let span):
            phone.jumpClock(by: span)
            note(entry, "the wall clock jumped by \(span.compactText)")
        case .suspendLockHolder(let relaunch):
            suspend(entry, relaunch: relaunch)
        case .lockFiles(let files, let span):
            lockFiles(entry, files, for: span)
        case .purgeCache(let folder):
            purge(entry, folder: folder)
        case .restoreBackup(let taken, let relaunch):
            restore(entry, taken: taken, relaunch: relaunch)
        case .holdDatabase(let name, let span):
            holdDatabase(entry, name: name, for: span)
        case .expireToken:
            expireToken(entry)
        case .revokeSession:
            revokeSession(entry)
        case .removeSource(let name):
            betweenCalls { [self] in removeSource(entry, of: name) }
        case .changeSource(let name):
            betweenCalls { [self] in changeSource(entry, of: name) }
        case .cancelUpload(let name): cancelUpload(entry, of: name)
        case .retryUpload(let name): retryUpload(entry, of: name)
        case .secondProcess(let span): startSecond(entry, for: span)
        case .loseResponse, .loseRequest, .answerError:
            preconditionFailure("\(entry.kind.rawValue) cannot fire by itself")
        }
    }
}

extension FaultKind {
    /// What a death in the middle of a call is put down to.
    var exitCause: ExitCause {
        switch self {
        case .powerLoss: .powerLoss
        case .processDead10cc: .lockHeldInSuspension
        default: .injectedKill
        }
    }
}

extension LossAftermath {
    /// The network's word for it.
    fileprivate var ofNetwork: ExchangeInterception.Aftermath {
        switch self {
        case .reset: .reset
        case .blackhole: .blackhole
        case .close: .close
        case .shortened: .shortened
        }
    }
}

extension FaultAnchor {
    /// Whether the anchor is about the commits of this database.
    func database(matches name: String) -> Bool {
        switch self {
        case .outboxCommit: name == "outbox"
        case .uploadCommit: name == "uploads"
        case .databaseCommit: true
        default: false
        }
    }
}
