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

    let device: Int
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
    /// Whether the phone sleeps: from the start where nobody looks at it.
    let sleep: DeviceSleep

    unowned let world: World
    private let simulation: Simulation
    private let process: SimulatedProcess
    private let radios: RadioSet
    private let app: AppFactory
    private let wallClock: WallClock
    private var engine: HTTPClientEngine?
    private var vfs: SQLiteVFS?
    private var signals: SimulatedSignals?
    private var path: SimulatedPath?

    init(world: World, device: Int, app: @escaping AppFactory) {
        self.world = world
        self.device = device
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
        disk.onTransaction = { [unowned world] event in world.faults.transaction(event) }
        network.observePath { [unowned self] snapshot in
            path?.pathChanged(to: snapshot)
        }
        memory.onBreach = { [unowned self] _, _ in kill(.memoryCap, relaunchAfter: .zero) }
        memory.onPressure = { [unowned self] _, level in
            signals?.pressureChanged(to: level.clientLevel)
        }
    }

    // MARK: Launch and death

    /// Starts the app, unless it runs or the system would not.
    func launch(_ cause: LaunchCause) {
        guard world.playsApp, lifecycle.mayLaunch(cause) else { return }
        let incarnation = process.launch()
        incarnation.recordsEffects = world.recordsEffects
        incarnations.append(incarnation)
        let label = lifecycle.launch(cause, into: .foreground)
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
        let context = makeContext(seams)
        launch = seams
        if let death = world.death, death.launch == incarnation.number {
            incarnation.killPlan = death.plan
            exitCause = death.cause
            relaunchDelay = death.relaunch
        }
        world.faults.watch(incarnation)
        incarnation.onDeath { [unowned self] in died(seams) }
        incarnation.start { [self] in
            do {
                let made = try app(context)
                guard incarnation.canAct else { return }
                simulation.schedule(at: simulation.now) { [self] in
                    seams.app = made
                    world.appIsReady()
                }
                await made.run()
            } catch {
                seams.couldNotStart = true
                seams.log("the app could not start: \(RefusalReason.text(of: error))")
            }
        }
        world.faults.anchor(.appLaunched)
    }

    /// Kills the app now and opens it again after a while; nil leaves it dead.
    ///
    /// - Returns: false when there was nothing to kill.
    @discardableResult
    func kill(_ cause: ExitCause, relaunchAfter delay: Duration?) -> Bool {
        guard let launch else { return false }
        exitCause = cause
        relaunchDelay = delay
        simulation.kill(launch.incarnation, cause: cause.rawValue)
        return true
    }

    /// The person opens the app anew if it gave up at its start, as on a phone that was locked.
    func reopenIfItCouldNotStart() {
        guard launch?.couldNotStart == true else { return }
        kill(.systemKill, relaunchAfter: .zero)
    }

    /// The app dies in the call that it is making to the disk, at its local time.
    ///
    /// Its code goes on as a zombie until it suspends; the call does nothing.
    func dieInside(_ cause: ExitCause, relaunchAfter delay: Duration?) {
        guard let launch else { return }
        exitCause = cause
        relaunchDelay = delay
        let stamp = simulation.now
        launch.incarnation.die(cause: cause.rawValue)
        disk.processDied(launch.client, at: stamp)
    }

    /// The app is about to die in a call of its own: what that is put down to.
    func expectDeath(of cause: ExitCause, relaunchAfter delay: Duration?) {
        exitCause = cause
        relaunchDelay = delay
    }

    /// What the next death is put down to, when it comes by an effect.
    private var exitCause = ExitCause.injectedKill
    private var relaunchDelay: Duration?

    /// Battery out: nothing is said to anyone, and what no sync had made safe may be gone.
    func losePower(relaunchAfter delay: Duration?) {
        guard !kill(.powerLoss, relaunchAfter: delay) else { return }
        powerWentOut()
        guard let delay else { return }
        world.schedule(at: simulation.instant + delay) { [self] in launch(.reboot) }
    }

    private func powerWentOut() {
        var draws = simulation.stream("power", entity: "\(device)", purpose: "\(wallClock.boots)")
        disk.powerLoss(at: simulation.instant, &draws)
        wallClock.reboot()
    }

    /// The wall clock jumps, as when the user or the network sets it.
    func jumpClock(by span: Duration) {
        wallClock.jump(by: span)
    }

    private func died(_ seams: LaunchSeams) {
        disk.processDied(seams.client, at: simulation.instant)
        for number in seams.unstoredWaits() { world.server.answerWasForgotten(number: number) }
        let lostPower = exitCause == .powerLoss
        if lostPower { engine?.powerLost() } else { engine?.processDied() }
        vfs?.unregister()
        memory.end(seams.label)
        lifecycle.end(exitCause)
        launch = nil
        engine = nil
        vfs = nil
        signals = nil
        path = nil
        if lostPower { powerWentOut() }
        if let relaunchDelay {
            world.schedule(at: simulation.instant + relaunchDelay) { [self] in
                launch(lostPower ? .reboot : .userOpened)
            }
        }
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
        radios.finish(at: end)
        memory.finish()
        launch?.isClosed = true
    }

    /// The launch that runs is told its phase.
    func tellPhase(_ phase: AppPhase) {
        signals?.phaseChanged(to: phase)
    }

    // MARK: Its parts

    private func makeContext(_ seams: LaunchSeams) -> LaunchContext {
        let incarnation = seams.incarnation
        let http = world.scenario.scenario.app.http
        var settings = HTTPClientSettings()
        settings.connectionsPerHost = http.connections
        settings.applicationProtocol = world.scenario.conditions.network.transport.http
        if world.scenario.conditions.network.transport.kind == .ideal {
            settings.transport = .ideal
        }
        let engine = HTTPClientEngine(network: network, settings: settings)
        let path = SimulatedPath(
            network: network,
            fanout: SignalFanout(incarnation: incarnation, simulation: simulation)
        )
        let signals = SimulatedSignals(
            phase: SignalFanout(incarnation: incarnation, simulation: simulation),
            pressure: SignalFanout(incarnation: incarnation, simulation: simulation)
        )
        let vfs = PhoneDisk.vfs(
            for: seams,
            simulation: simulation,
            wallClock: wallClock,
            profile: disk.profile
        )
        self.engine = engine
        self.path = path
        self.signals = signals
        self.vfs = vfs
        let environment = ClientEnvironment(
            transport: SimulatedTransport(world: world, launch: seams, engine: engine),
            clock: SimulatedClock(
                incarnation: incarnation,
                simulation: simulation,
                wallClock: wallClock
            ),
            random: SimulatedRandom(
                stream: simulation.stream("app", entity: incarnation.label, purpose: "random")
            ),
            path: path,
            signals: signals,
            files: seams.files,
            sqliteVFS: vfs.name,
            directory: Self.directory,
            memory: seams.memory
        )
        let driver = world.workload
        return LaunchContext(
            environment: environment,
            configuration: world.scenario.scenario.app,
            number: incarnation.number,
            showsPictures: world.showsPictures,
            decoder: SimulatedDecoder(
                world: world,
                launch: seams,
                processor: world.scenario.conditions.device.model.processor
            ),
            server: world.address,
            outboxObserver: { event in driver.heard(event, from: seams) },
            uploadObserver: { event in driver.heard(event, from: seams) },
            shown: { identity in driver.isShown(identity, by: seams) },
            waited: { span in seams.report(.userWaited(span)) },
            measured: { name, value in
                // Under a name of the lab's own, the lab's figure stands.
                guard MetricName(name).definition == nil else { return }
                seams.report(.measured(name: name, value: value))
            },
            log: { line in seams.log(line) }
        )
    }

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

extension MemoryPressure {
    fileprivate var clientLevel: MemoryPressureLevel {
        switch self {
        case .normal: .normal
        case .warning: .warning
        case .critical: .critical
        }
    }
}
