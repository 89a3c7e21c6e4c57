import ClientModules
import Measurements
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import SQLiteStore
import ServerModel
import SimulationKernel
import Trace

/// One phone: its radios, disk, memory and system, and the launches of the app on it.
final class Phone: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    /// Where the app keeps its files.
    static let directory = "/data"

    let identity: PhoneIdentity
    /// The device that observations are reported for.
    var device: Int { identity.device }
    /// The launch that runs now; nil while the app is dead.
    private(set) var launch: LaunchSeams?
    /// Every launch so far, dead or alive.
    private(set) var incarnations: [Incarnation] = []
    let disk: SimulatedDisk
    let network: AccessNetwork
    let memory: MemoryLedger
    let lifecycle: AppLifecycle
    /// Who else is in memory.
    var tenants: BackgroundMemory
    /// Whether the person looks at another app.
    var isAway = false
    /// How often they left.
    var absences = 0
    /// From when on the app can be used after it was opened.
    var usableFrom = SimulationInstant.zero
    /// Whether the app is there to be opened: before, nothing launches it.
    var isInstalled = false
    /// Tells a retry from a new request.
    let operations: OperationKeys
    /// Does to this phone what the profile declared.
    private(set) lazy var faults = FaultEngine(
        world: world,
        phone: self,
        device: device,
        entries: world.phoneFaults
    )
    /// The person who holds it.
    private(set) lazy var workload = WorkloadDriver(world: world, phone: self, plan: plan.actions)
    /// What it shows.
    private(set) lazy var screen = ListScreen(world: world, phone: self)
    let plan: PhonePlan
    /// Whether the phone sleeps: from the start where nobody looks at it.
    let sleep: DeviceSleep
    /// Who is signed in; nil where the server asks for no tokens.
    private(set) lazy var session = world.scenario.conditions.server.configuration.tokens.map {
        PhoneSession(phone: self, policy: $0)
    }
    /// What the app's own database holds.
    private(set) lazy var rows = PhoneRows(phone: self)
    /// What it draws beside its radios.
    let energy: PhoneEnergy
    /// What rules an app out of sight; nil lets it run on.
    private(set) lazy var system = world.scenario.conditions.system.map {
        PhoneSystem(phone: self, configuration: $0)
    }

    /// The app's second process, when it runs one.
    private(set) lazy var second = SecondProcess(of: self)

    unowned let world: World
    let simulation: Simulation
    private let process: SimulatedProcess
    private let radios: RadioSet
    /// Makes the app at each launch.
    let app: AppFactory
    let wallClock: WallClock
    private(set) var engine: HTTPClientEngine?
    private var live: LiveChannel?
    private(set) var vfs: SQLiteVFS?
    /// That of the launch before, whose databases nobody closed.
    private var vfsOfTheDead: SQLiteVFS?
    private var signals: SimulatedSignals?
    private(set) var path: SimulatedPath?

    init(world: World, plan: PhonePlan, app: @escaping AppFactory) {
        self.world = world
        self.plan = plan
        identity = plan.identity
        operations = OperationKeys(prefix: plan.identity.prefix)
        let device = plan.identity.device
        self.app = app
        simulation = world.simulation
        tenants = world.scenario.conditions.inMemory
        let configuration = world.scenario.conditions.device
        process = simulation.makeProcess(named: "app", device: device)
        let stream = world.observations
        let models = world.scenario.conditions.radios
        let cellular = Radio(
            models.cellular,
            simulation: simulation,
            stream: stream,
            device: device
        )
        let wifi = Radio(models.wifi, simulation: simulation, stream: stream, device: device)
        radios = RadioSet(cellular: cellular, wifi: wifi)
        sleep = DeviceSleep(
            isScreenOn: world.scenario.run.isScreenOn,
            simulation: simulation,
            observations: stream,
            device: device
        )
        energy = PhoneEnergy(
            device: configuration.model,
            flash: configuration.disk.energy,
            simulation: simulation,
            observations: stream,
            number: device
        )
        network = AccessNetwork(
            simulation: simulation,
            conditions: world.scenario.conditions.network.conditions,
            internet: world.internet,
            modems: ModemSet(
                cellular: PhoneModem(radio: cellular, sleep: sleep),
                wifi: PhoneModem(radio: wifi, sleep: sleep)
            ),
            observations: stream,
            device: device
        )
        memory = MemoryLedger(
            cap: configuration.model.memoryCap,
            thresholds: configuration.model.memoryThresholds,
            simulation: simulation,
            observations: stream,
            device: device
        )
        lifecycle = AppLifecycle(simulation: simulation, observations: stream, device: device)
        wallClock = WallClock(simulation: simulation)
        disk = PhoneDisk.make(
            profile: configuration.disk,
            simulation: simulation,
            observations: stream,
            device: device
        )
        disk.onTransaction = { [unowned self] event in faults.transaction(event) }
        network.observePath { [unowned self] snapshot in
            path?.pathChanged(to: snapshot)
            system?.pathChanged()
        }
        energy.setAwake(sleep.isAwake)
        energy.setScreen(on: sleep.isScreenOn)
        sleep.onScreenChange = { [unowned self] isOn in energy.setScreen(on: isOn) }
        sleep.onChange = { [unowned self] isAwake in awakeChanged(to: isAwake) }
        memory.onBreach = { [unowned self] _, _ in kill(.memoryCap, relaunchAfter: .zero) }
        memory.onPressure = { [unowned self] _, level in
            signals?.pressureChanged(to: level.clientLevel)
        }
    }

    // MARK: Launch and death

    /// Starts the app, unless it runs or the system would not.
    func launch(_ cause: LaunchCause) {
        guard world.playsApp, isInstalled, lifecycle.mayLaunch(cause) else { return }
        // No code of an earlier launch is on the stack here, as it may be at its death.
        vfsOfTheDead?.closeAbandoned()
        vfsOfTheDead = nil
        let incarnation = process.launch()
        incarnation.recordsEffects = world.recordsEffects && world.phone === self
        incarnations.append(incarnation)
        // Without a policy an app is in front whoever started it.
        let label = lifecycle.launch(cause, into: system == nil ? .foreground : nil)
        energy.launched(cause)
        memory.begin(label)
        let client = PhoneDisk.client(
            of: incarnation,
            number: incarnation.number,
            simulation: simulation
        )
        let seams = LaunchSeams(
            world: world,
            incarnation: incarnation,
            device: device,
            label: label,
            files: SimulatedFileStore(disk: disk, client: client),
            client: client,
            memory: LaunchMemory(ledger: memory, label: label, incarnation: incarnation)
        )
        let parts = LaunchParts(of: self, for: seams)
        engine = parts.engine
        path = parts.path
        signals = parts.signals
        vfs = parts.vfs
        launch = seams
        if let death = world.death, world.phone === self, death.launch == incarnation.number {
            incarnation.killPlan = death.plan
            exitCause = death.cause
            relaunchDelay = death.relaunch
        }
        faults.watch(incarnation)
        incarnation.onDeath { [unowned self] in died(seams) }
        // A task that never ends must not keep the phone.
        incarnation.start { [unowned self, app, simulation, context = parts.context] in
            do {
                let made = try app(context)
                guard incarnation.canAct else { return }
                simulation.schedule(at: simulation.now) { [unowned self] in
                    seams.isReady(made)
                    appIsReady()
                }
                await made.run()
            } catch {
                seams.couldNotStart = true
                seams.log("the app could not start: \(RefusalReason.text(of: error))")
            }
        }
        listen()
        faults.anchor(.appLaunched)
    }

    /// Opens the app's event stream, if it has one; it lives as long as the launch.
    private func listen() {
        guard let publisher = world.publisher, let settings = world.scenario.scenario.app.live
        else { return }
        let channel = LiveChannel(
            settings,
            network: network,
            host: world.address.host,
            owner: "live \(settings.over.rawValue)",
            security: world.security,
            publisher: publisher
        )
        live = channel
        channel.open()
    }

    /// Kills the app now and opens it again after a while; nil leaves it dead.
    ///
    /// - Returns: false when there was nothing to kill.
    @discardableResult
    func kill(_ cause: ExitCause, relaunchAfter delay: Duration?) -> Bool {
        guard let launch else { return false }
        exitCause = cause
        relaunchDelay = delay
        end(launch, cause)
        return true
    }

    /// Ends a process now, or as soon as what another process has seen of it has happened.
    ///
    /// Code runs ahead of the world by what its calls took. What it told the person until then it has told.
    func end(_ seams: LaunchSeams, _ cause: ExitCause) {
        guard cause != .powerLoss, let seen = disk.lastSeen(of: seams.client),
            seen > simulation.instant
        else { return simulation.kill(seams.incarnation, cause: cause.rawValue) }
        world.schedule(at: seen) { [simulation] in
            simulation.kill(seams.incarnation, cause: cause.rawValue)
        }
    }

    /// The person swipes the app away; false when that changed nothing.
    func swipeAway(relaunchAfter delay: Duration?) -> Bool {
        second.end(.forceQuit)
        if kill(.forceQuit, relaunchAfter: delay) { return true }
        guard let system, !lifecycle.isForceQuit else { return false }
        lifecycle.end(.forceQuit)
        system.wasForceQuit()
        return true
    }

    /// The person opens the app anew if it gave up at its start, as on a phone that was locked.
    func reopenIfItCouldNotStart() {
        guard launch?.couldNotStart == true else { return }
        kill(.systemKill, relaunchAfter: .zero)
    }

    /// The app is about to die in a call of its own: what that is put down to.
    func expectDeath(of cause: ExitCause, relaunchAfter delay: Duration?) {
        exitCause = cause
        relaunchDelay = delay
    }

    /// When the app was given no more time.
    var suspendedAt = SimulationInstant.zero
    /// What the next death is put down to, when it comes by an effect.
    private var exitCause = ExitCause.injectedKill
    private var relaunchDelay: Duration?

    /// Battery out: nothing is said to anyone, and what no sync had made safe may be gone.
    func losePower(relaunchAfter delay: Duration?) {
        guard !kill(.powerLoss, relaunchAfter: delay) else { return }
        powerWentOut()
        guard let delay else { return }
        world.schedule(at: simulation.instant + delay) { [self] in startAgain(.reboot) }
    }

    /// The app is started again; under a policy only its person does that.
    private func startAgain(_ cause: LaunchCause) {
        guard let system else { return launch(cause) }
        // Nobody opens an app on a phone in a pocket: it waits for the next use.
        guard system.isInUse else { return }
        launch(.userOpened)
        system.cameToFront()
    }

    private func powerWentOut() {
        second.end(.powerLoss)
        system?.transfers.powerLost()
        var draws = simulation.stream("power", entity: "\(device)", purpose: "\(wallClock.boots)")
        disk.powerLoss(at: simulation.instant, &draws)
        rows.powerWentOut()
        wallClock.reboot()
    }

    /// The wall clock jumps, as when the user or the network sets it.
    func jumpClock(by span: Duration) {
        wallClock.jump(by: span)
    }

    private func died(_ seams: LaunchSeams) {
        let lostPower = exitCause == .powerLoss
        // Without power the whole disk goes back to this instant.
        if !lostPower { disk.processDied(seams.client, at: simulation.instant) }
        for number in seams.unstoredWaits() { world.server.answerWasForgotten(number: number) }
        if lostPower { engine?.powerLost() } else { engine?.processDied() }
        if lostPower { live?.powerLost() } else { live?.processDied() }
        live = nil
        vfs?.unregister()
        vfsOfTheDead = vfs
        memory.end(seams.label)
        lifecycle.end(exitCause)
        launch = nil
        engine = nil
        vfs = nil
        signals = nil
        path = nil
        if lostPower { powerWentOut() }
        system?.processDied(seams, cause: exitCause)
        if let relaunchDelay {
            world.schedule(at: simulation.instant + relaunchDelay) { [self] in
                startAgain(lostPower ? .reboot : .userOpened)
            }
        }
    }

    /// The app has started: once it can be used, what waited for it is done.
    func appIsReady() {
        guard usableFrom <= simulation.instant else {
            let present = launch
            world.schedule(at: usableFrom) { [self] in
                guard launch === present else { return }
                appIsReady()
            }
            return
        }
        if world.needs.showsPictures { screen.appIsReady() }
        workload.appIsReady()
    }

    /// When a capture shows a packet that crosses now; to be asked while its crossing is observed.
    func captureInstant(
        _ interface: RadioInterface,
        _ crossing: PacketCrossing,
        crossingAt instant: SimulationInstant
    ) -> SimulationInstant {
        radios.radio(interface)?.captureInstant(
            crossing.direction,
            size: Int(crossing.size),
            crossingAt: instant
        ) ?? instant
    }

    /// The run is over: radios report what is left.
    func finish(at end: SimulationInstant) {
        energy.settle()
        radios.finish(at: end)
        memory.finish()
        launch?.isClosed = true
    }

    /// The world was judged: nobody will ask its disk or its network any more.
    func discard() {
        second.discard()
        vfs?.unregister()
        vfs = nil
        disk.discard()
        engine?.discard()
        engine = nil
        network.discard()
        workload.discard()
        memory.onBreach = nil
        memory.onPressure = nil
        // Its code is not to run again, not even as it is let go of.
        if let app = launch?.app { simulation.morgue.keep(app) }
        launch = nil
    }

    /// The launch that runs is told its phase.
    func tellPhase(_ phase: AppPhase) {
        signals?.phaseChanged(to: phase)
    }

    // MARK: Its parts

    /// Puts a file where the camera puts it, safe from any kill of the app.
    func storeMedia(_ content: SyntheticContent, at path: String) {
        disk.install(path, content)
    }

    /// The radio that is selected is in use from now on for `lasts`.
    func declareRadioActivity(owner: String, lasts: Duration) {
        let now = simulation.instant
        let interface: RadioInterface = network.path.interface == .wifi ? .wifi : .cellular
        radios.radio(interface)?.declareActivity(owner: owner, from: now, to: now + lasts)
    }
}
