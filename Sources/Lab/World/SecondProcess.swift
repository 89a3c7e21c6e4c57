import NetworkModel
import PhoneModel
import Quantities
import SQLiteStore
import ServerModel
import SimulationKernel
import Trace

/// A second process of the app, beside the first one on the same store: a share extension or a notification
/// service on an App Group's container, a worker in an Android process of its own.
///
/// It runs the app's modules on the same disk for a while, then the system ends it, in the middle of whatever it
/// does. It has memory, sockets, locks and a death of its own: the end of one process is nothing to the other. The
/// person does nothing in it. One at a time runs on a phone.
final class SecondProcess: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    /// What the process is called, as Android names one.
    static let name = "app:second"
    /// Numbers of its views of the disk begin behind all that an app's launches have: an assumption.
    private static let firstClient = 1_000_000

    /// One life of it.
    private struct Life {
        let seams: LaunchSeams
        let parts: LaunchParts
    }

    private unowned let phone: Phone
    private let process: SimulatedProcess
    private var life: Life?
    private var cause = ExitCause.systemKill
    /// That of the life before, whose databases nobody closed.
    private var vfsOfTheDead: SQLiteVFS?
    private var followsPath = false

    private var world: World { phone.world }
    private var simulation: Simulation { phone.simulation }

    init(of phone: Phone) {
        self.phone = phone
        process = phone.simulation.makeProcess(named: Self.name, device: phone.device)
    }

    /// The launch that runs now; nil while there is none.
    var launch: LaunchSeams? { life?.seams }

    /// Whether the code that runs now is its.
    var isCurrent: Bool {
        guard let life else { return false }
        return simulation.currentIncarnation === life.seams.incarnation
    }

    /// The system starts it, and ends it after `span`; false while one runs.
    func begin(for span: Duration) -> Bool {
        guard life == nil else { return false }
        // No code of the life before is on the stack here.
        vfsOfTheDead?.closeAbandoned()
        vfsOfTheDead = nil
        followPath()
        let seams = makeSeams()
        let parts = LaunchParts(of: phone, for: seams, isSecond: true)
        life = Life(seams: seams, parts: parts)
        cause = .systemKill
        phone.energy.launched(.system)
        phone.sleep.wake(.job, for: span)
        chooseFiles()
        let incarnation = seams.incarnation
        incarnation.onDeath { [unowned self] in died(seams, parts) }
        // A task that never ends must not keep the phone.
        incarnation.start { [simulation, app = phone.app, context = parts.context] in
            do {
                let made = try app(context)
                guard incarnation.canAct else { return }
                simulation.schedule(at: simulation.now) { seams.isReady(made) }
                await made.run()
            } catch {
                seams.log("the app could not start: \(RefusalReason.text(of: error))")
            }
        }
        world.schedule(at: simulation.instant + span) { [unowned self] in
            guard launch === seams else { return }
            end(.systemKill)
        }
        return true
    }

    /// Ends it now, whatever it does; nothing where none runs.
    func end(_ cause: ExitCause) {
        guard let launch else { return }
        self.cause = cause
        phone.end(launch, cause)
    }

    /// It dies in the call that it is making to the disk, at its local time; what it does to the disk goes on as a zombie.
    func dieInside(_ cause: ExitCause) {
        guard let launch else { return }
        self.cause = cause
        let stamp = simulation.now
        launch.incarnation.die(cause: cause.rawValue)
        phone.disk.processDied(launch.client, at: stamp)
    }

    /// The app has a network, or none although the phone has one.
    func setNetworkBlocked(_ isBlocked: Bool) {
        guard let parts = life?.parts else { return }
        parts.engine.isBlocked = isBlocked
        if isBlocked { parts.engine.reclaimSockets() }
        parts.path.setBlocked(isBlocked)
    }

    /// The world was judged: nobody will ask it any more.
    func discard() {
        guard let life else { return }
        life.parts.vfs.unregister()
        life.parts.engine.discard()
        // Its code is not to run again, not even as it is let go of.
        if let app = life.seams.app { simulation.morgue.keep(app) }
        self.life = nil
    }

    private func makeSeams() -> LaunchSeams {
        let incarnation = process.launch()
        let label = ProcessLabel(device: phone.device, second: incarnation.number)
        let client = PhoneDisk.client(
            of: incarnation,
            number: Self.firstClient + incarnation.number,
            simulation: simulation
        )
        // Its memory counts against a cap of its own, and not as the app's: nobody is told of it.
        let memory = MemoryLedger(
            cap: phone.memory.cap,
            simulation: simulation,
            observations: ObservationStream(),
            device: phone.device
        )
        memory.begin(label)
        memory.onBreach = { [unowned self] _, _ in end(.memoryCap) }
        return LaunchSeams(
            world: world,
            incarnation: incarnation,
            device: phone.device,
            label: label,
            files: SimulatedFileStore(disk: phone.disk, client: client),
            client: client,
            memory: LaunchMemory(ledger: memory, label: label, incarnation: incarnation)
        )
    }

    private func died(_ seams: LaunchSeams, _ parts: LaunchParts) {
        if cause != .powerLoss { phone.disk.processDied(seams.client, at: simulation.instant) }
        for number in seams.unstoredWaits() { world.server.answerWasForgotten(number: number) }
        // The end of the app itself ends its requests for whoever keeps account; this one's is not told otherwise.
        for number in seams.openRequests {
            let end = RequestEnd(request: number, result: .failure("the process ended"))
            world.report(.requestEnded(end), device: phone.device)
        }
        if cause == .powerLoss { parts.engine.powerLost() } else { parts.engine.processDied() }
        parts.vfs.unregister()
        vfsOfTheDead = parts.vfs
        life = nil
        world.report(
            .logged(seams.label, "the system ended the process (\(cause.rawValue))"),
            device: phone.device
        )
    }

    private func followPath() {
        guard !followsPath else { return }
        followsPath = true
        _ = phone.network.observePath { [unowned self] snapshot in
            life?.parts.path.pathChanged(to: snapshot)
        }
    }

    /// Who opens a database without naming a VFS gets that of the process whose code runs.
    private func chooseFiles() {
        SQLiteThreadDefault.choose { [weak world = phone.world] in
            world?.phones.first { $0.second.isCurrent }?.second.life?.parts.vfs
        }
    }
}

extension Phone {
    /// The process that makes the running call to the disk dies in it, at its local time.
    ///
    /// Its code goes on as a zombie until it suspends; the call does nothing. Power goes out for both processes.
    func dieInside(_ cause: ExitCause, relaunchAfter delay: Duration?) {
        guard second.isCurrent else {
            guard let launch else { return }
            expectDeath(of: cause, relaunchAfter: delay)
            let stamp = simulation.now
            launch.incarnation.die(cause: cause.rawValue)
            disk.processDied(launch.client, at: stamp)
            return
        }
        second.dieInside(cause)
        guard cause == .powerLoss else { return }
        world.schedule(at: simulation.now) { [self] in losePower(relaunchAfter: delay) }
    }
}
