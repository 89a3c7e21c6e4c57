import ClientModules
import Foundation
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Trace

/// The transfers that the system carries out for the app, whatever becomes of the app's process.
///
/// It tries again by itself when the network breaks one; an answer of the server, whatever it says, is
/// the app's to judge. The app is woken, or started, to hear of results, and hears of each again at every
/// launch until it has confirmed it.
final class SystemTransfers {
    private unowned let system: PhoneSystem
    private unowned let world: World
    private var all: [SystemTransfer] = []
    private var engine: HTTPClientEngine?
    private var event = EventHandle.none
    private var clients = 0

    init(system: PhoneSystem) {
        self.system = system
        world = system.world
    }

    private var policy: TransferPolicy { system.policy.transfers }
    private var now: SimulationInstant { system.now }

    /// How long a try may run, nil for no limit.
    ///
    /// A worker like any other: as long as one that refreshes.
    var timeLimit: Duration? { policy.runsIn == .job ? system.policy.refresh.length.upper : nil }

    /// Whether a transfer runs in the app's process, which therefore is not suspended.
    var holdsProcess: Bool { policy.runsIn == .job && all.contains { $0.flight != nil } }

    /// What the system still has in hand, or whose result nobody has confirmed.
    var identifiers: [String] { all.map(\.identifier).sorted() }

    /// The world is over: a flight and its end hold each other, and the line.
    func discard() {
        engine?.discard()
        engine = nil
        all = []
    }

    /// Results that nobody has confirmed, in the order the transfers were handed over.
    var results: [BackgroundTransferResult] {
        all.compactMap { transfer in
            transfer.result.map {
                BackgroundTransferResult(identifier: transfer.identifier, result: $0)
            }
        }
    }

    // MARK: What the app asks

    /// Takes a transfer; one that is known is not started again.
    func accept(_ request: HTTPRequest, file: String, range: Range<Int64>, identifier: String) {
        guard !all.contains(where: { $0.identifier == identifier }) else { return }
        var due = now
        if !system.isInFront {
            due = system.limiter?.begin(at: now) ?? now
            due += system.draws.duration(in: policy.discretion)
        }
        let transfer = SystemTransfer(
            identifier: identifier,
            request: request,
            file: file,
            range: range,
            startedInFront: system.isInFront,
            due: due
        )
        all.append(transfer)
        system.report(.transfer(identifier: identifier, .handedOver))
        advance()
    }

    /// Takes a transfer back.
    func cancel(_ identifier: String) {
        guard let transfer = all.first(where: { $0.identifier == identifier }) else { return }
        if let engine { transfer.flight?.abandon(engine) }
        tryIsOver(transfer)
        all.removeAll { $0 === transfer }
        system.report(.transfer(identifier: identifier, .cancelled))
        landed()
    }

    /// The app has taken a result in.
    func confirm(_ identifier: String) {
        guard all.contains(where: { $0.identifier == identifier && $0.result != nil }) else {
            return
        }
        all.removeAll { $0.identifier == identifier }
        system.report(.transfer(identifier: identifier, .confirmed))
    }

    // MARK: What the phone does

    /// Begins what may begin now, and looks again when the next may.
    func advance() {
        world.simulation.cancel(event)
        event = .none
        var next: SimulationInstant?
        for transfer in all where transfer.isWaiting {
            let due = max(transfer.due, earliestJob)
            if due > now {
                next = min(next ?? due, due)
            } else if mayBegin {
                begin(transfer)
            }
        }
        if let next { event = world.schedule(at: next) { [self] in advance() } }
    }

    /// Without a route nothing begins; a job waits for doze, and whoever saves data for Wi-Fi.
    private var mayBegin: Bool {
        guard system.phone.network.path.hasRoute else { return false }
        if system.savesDataNow, system.policy.saving.lowDataDefersTransfers { return false }
        guard policy.runsIn == .job, !system.isInFront else { return true }
        return system.doze?.holdsUp != true
    }

    /// When the quota lets a job begin: in front, and plugged in, at once.
    private var earliestJob: SimulationInstant {
        guard isHeldToQuota, let quota = system.quota, let bucket = system.bucket
        else { return now }
        return quota.earliestStart(in: bucket, at: now)
    }

    /// Whether a job that begins now has to fit its quota: not one that begins in front (`radio.md` C.4) or
    /// plugged in.
    private var isHeldToQuota: Bool {
        policy.runsIn == .job && !system.isInFront && !system.isCharging
    }

    /// A try begins in a job: it is counted, and has to end in time.
    private func beginJob(_ transfer: SystemTransfer) {
        guard var length = timeLimit else { return }
        if !system.isInFront, system.quota != nil {
            transfer.usesQuota = true
            if isHeldToQuota, let bucket = system.bucket, let quota = system.quota {
                length = min(length, quota.remaining(in: bucket, at: now))
            }
            system.quota?.began(at: now)
        }
        transfer.jobBegan = now
        transfer.timeLimit = world.schedule(at: now + length) { [self] in timeIsUp(transfer) }
    }

    /// A job has run for as long as it may, or as its quota lets it.
    ///
    /// The app is told that a transfer does not fit into the limit (`onStopJob`, STOP_REASON_TIMEOUT). One that the
    /// quota stopped early begins again, unless it had more time than a transfer is meant to take.
    private func timeIsUp(_ transfer: SystemTransfer) {
        guard let engine, let flight = transfer.flight, let limit = timeLimit else { return }
        guard now - transfer.jobBegan > limit / 2 else { return stop([transfer]) }
        flight.abandon(engine)
        tryIsOver(transfer)
        transfer.result = .failure(URLError(.timedOut))
        system.report(.transfer(identifier: transfer.identifier, .ranOutOfTime))
        deliver(transfer)
        landed()
    }

    /// A try of a transfer has come to an end, whatever came of it.
    private func tryIsOver(_ transfer: SystemTransfer) {
        transfer.flight = nil
        world.simulation.cancel(transfer.timeLimit)
        transfer.timeLimit = .none
        if transfer.usesQuota { system.quota?.ended(at: now) }
        transfer.usesQuota = false
    }

    private func begin(_ transfer: SystemTransfer) {
        let engine =
            self.engine
            ?? HTTPClientEngine(
                network: system.phone.network,
                settings: world.scenario.clientSettings
            )
        self.engine = engine
        let flight = TransferFlight(phone: system.phone, request: transfer.request) {
            [self] result in
            ended(transfer, result)
        }
        transfer.flight = flight
        // The process that a job runs in has to be there.
        if policy.runsIn == .job, !system.isInFront, !system.giveTime(.job) {
            transfer.flight = nil
            return
        }
        beginJob(transfer)
        system.report(.transfer(identifier: transfer.identifier, .started))
        clients += 1
        let client = DiskClient(id: -clients, stamp: { [unowned world] in world.simulation.now })
        let files = SimulatedFileStore(disk: system.phone.disk, client: client)
        let body = FileBody(files: files, path: transfer.file, range: transfer.range)
        flight.begin(on: engine, body: body, device: system.phone.device)
    }

    private func ended(_ transfer: SystemTransfer, _ result: Result<HTTPResponse, URLError>) {
        tryIsOver(transfer)
        switch result {
        case .success:
            transfer.result = result
            system.report(.transfer(identifier: transfer.identifier, .finished))
            deliver(transfer)
        case .failure where policy.runsIn == .job && transfer.failures >= Self.mostFailures - 1:
            transfer.result = result
            system.report(.transfer(identifier: transfer.identifier, .failed))
            deliver(transfer)
        case .failure:
            wait(transfer)
        }
        landed()
    }

    /// Tries that a worker makes before it gives a transfer back, which then may be asked for in smaller ones.
    ///
    /// Assumption: three. WorkManager leaves it to the worker (`runAttemptCount`); a background URLSession goes on.
    private static let mostFailures = 3

    private func wait(_ transfer: SystemTransfer) {
        transfer.failures += 1
        transfer.due = now + policy.retry.wait(after: transfer.failures)
        system.report(.transfer(identifier: transfer.identifier, .waits))
    }

    /// Tells the app of a result; one that does not run is woken or started for it.
    private func deliver(_ transfer: SystemTransfer) {
        guard let result = transfer.result else { return }
        let told = BackgroundTransferResult(identifier: transfer.identifier, result: result)
        if system.isInFront || system.grants.contains(where: { $0.kind == .transfer }) {
            system.phone.launch?.transfers?.deliver(told)
            return
        }
        let isCold = system.phone.launch == nil
        let grant = system.open(
            .transfer,
            identifier: transfer.identifier,
            length: policy.window,
            overrun: .suspend,
            cause: .network
        )
        guard let grant else { return }
        system.limiter?.relaunched(at: now)
        // A new launch hears of it with all that waits, as soon as it listens.
        if !isCold { grant.launch.transfers?.deliver(told) }
        grant.launch.background?.deliver(system.window(of: grant))
    }

    /// A try is over: the app's process may be let go, and the next may begin.
    private func landed() {
        system.soon { [self] in
            system.check()
            system.doze?.workEnded()
            advance()
        }
    }

    // MARK: What goes wrong

    /// The app's process is gone: what ran in it is to be done again.
    func processDied() {
        guard policy.runsIn == .job else { return }
        stopJobs()
    }

    /// The system stops the jobs that run.
    func stopJobs() {
        guard policy.runsIn == .job else { return }
        stop(all)
    }

    /// Ends tries that are under way; they are to be done again.
    private func stop(_ transfers: [SystemTransfer]) {
        guard let engine else { return }
        for transfer in transfers where transfer.flight != nil {
            transfer.flight?.abandon(engine)
            tryIsOver(transfer)
            wait(transfer)
        }
        landed()
    }

    /// The app was swiped away: everything is taken back, and told as that at the next launch.
    func cancelAll() {
        for transfer in all where transfer.result == nil {
            if let engine { transfer.flight?.abandon(engine) }
            tryIsOver(transfer)
            transfer.result = .failure(URLError(.cancelled))
            system.report(.transfer(identifier: transfer.identifier, .cancelled))
        }
    }

    /// Another phone stands in for this one: it has no transfer in hand, and no result for anyone.
    func forgetAll() {
        cancelAll()
        all = []
        world.simulation.cancel(event)
        event = .none
    }

    /// The phone lost power: what was under way begins again after the boot.
    func powerLost() {
        engine?.powerLost()
        engine = nil
        for transfer in all where transfer.flight != nil {
            transfer.flight?.forget()
            tryIsOver(transfer)
            wait(transfer)
        }
        landed()
    }
}
