import ClientModules
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Trace

/// The phone's operating system, as far as it decides whether an app that nobody looks at may run.
///
/// Out of sight the app runs on for a moment, or for as long as it was given time; then it is suspended:
/// its timers stand, its sockets are closed, and what became due comes in a burst when it goes on.
final class PhoneSystem: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    unowned let phone: Phone
    unowned let world: World
    let configuration: SystemConfiguration
    let doze: DozeMachine?
    private(set) lazy var transfers = SystemTransfers(system: self)

    /// Whether its person holds the phone, with the screen on.
    private(set) var isInUse = true
    private(set) var isCharging = false
    /// Counts uses, so that the end of one does not end the next.
    var uses = 0
    /// When the person last opened the app.
    private(set) var lastOpened = SimulationInstant.zero

    var grants: [BackgroundGrant] = []
    var requests: [PendingRequest] = []
    var requestEvent = EventHandle.none
    var quota: JobQuota?
    var normalPushes: PushAllowance
    var highPushes: PushAllowance
    var highPushInstants: [SimulationInstant] = []
    /// A push that waits for the phone to let it through.
    var waitingPush: PushArrival?
    var limiter: RelaunchLimiter?
    var draws: RandomStream

    private let simulation: Simulation
    /// Until when the app runs on that asked for nothing.
    private var graceUntil = SimulationInstant.zero
    private var checkEvent = EventHandle.none
    private var holdsAwake = false
    private var wasBlocked = false

    init(phone: Phone, configuration: SystemConfiguration) {
        self.phone = phone
        self.configuration = configuration
        world = phone.world
        simulation = phone.world.simulation
        let policy = configuration.policy
        doze = policy.doze.map { DozeMachine(policy: $0, simulation: phone.world.simulation) }
        quota = policy.standby.map { JobQuota(policy: $0) }
        normalPushes = PushAllowance(policy: policy.push.normal)
        highPushes = PushAllowance(policy: policy.push.high)
        limiter = policy.transfers.limiter.map { RelaunchLimiter(first: $0) }
        draws = simulation.stream("system", entity: "\(phone.device)", purpose: "delays")
        phone.lifecycle.forceQuitStopsLaunches = policy.forceQuit.stopsBackgroundWork
        doze?.hasWork = { [unowned self] in holdsJobs }
        doze?.onChange = { [unowned self] state in dozeChanged(to: state) }
    }

    var policy: SystemPolicy { configuration.policy }
    var now: SimulationInstant { simulation.instant }
    var isInFront: Bool { phone.lifecycle.state == .foreground }

    func report(_ event: SystemEvent) { world.report(.system(event), device: phone.device) }

    /// Does `action` after what is going on now, as the world: what app code asks for must not end it.
    func soon(_ action: @escaping () -> Void) {
        world.schedule(at: simulation.now, action)
    }

    // MARK: The person

    /// The run begins: with a dark screen, its person opens the app once and puts the phone away.
    func begin(isScreenOn: Bool) {
        guard !isScreenOn else { return }
        phone.sleep.setScreen(on: true)
        use(for: Self.firstUse)
    }

    /// How long the first look at a new app takes: an assumption.
    private static let firstUse: Duration = .seconds(30)

    /// The person takes the phone out, opens the app, and puts the phone away after a while.
    func use(for span: Duration) {
        uses += 1
        let use = uses
        open()
        world.schedule(at: now + span) { [self] in
            if uses == use { putAway() }
        }
    }

    /// Everything has healed: the person opens the app and leaves it open.
    func openForGood() {
        uses += 1
        open()
    }

    private func open() {
        isInUse = true
        phone.sleep.setScreen(on: true)
        doze?.setScreen(on: true)
        if !isInFront { phone.comeBack() }
    }

    /// The person puts the phone away: the screen goes dark, the app out of sight.
    private func putAway() {
        phone.goOutOfSight()
        isInUse = false
        phone.sleep.setScreen(on: false)
        doze?.setScreen(on: false)
        considerRequests()
    }

    /// The phone is plugged in for so long.
    func charge(for span: Duration) {
        setCharging(true)
        world.schedule(at: now + span) { [self] in setCharging(false) }
    }

    private func setCharging(_ isPluggedIn: Bool) {
        isCharging = isPluggedIn
        doze?.setCharging(isPluggedIn)
        networkMayHaveChanged()
        considerRequests()
        transfers.advance()
    }

    /// The phone is carried about for so long.
    func carry(for span: Duration) {
        doze?.setMoving(true)
        world.schedule(at: now + span) { [self] in doze?.setMoving(false) }
    }

    // MARK: The process

    /// The app came to the front: nothing holds it up any more.
    func cameToFront() {
        lastOpened = now
        limiter?.opened()
        for grant in grants { close(grant, succeeded: true, ended: true) }
        check()
        networkMayHaveChanged()
        transfers.advance()
    }

    /// The app went out of sight.
    func wentOutOfSight() {
        graceUntil = now + policy.suspension.after
        check()
        networkMayHaveChanged()
        considerRequests()
    }

    /// The app's process is gone, by itself or by force.
    func processDied(_ launch: LaunchSeams, cause: ExitCause) {
        for grant in grants where grant.launch === launch {
            close(grant, succeeded: false, ended: false)
        }
        transfers.processDied()
        if cause == .forceQuit { wasForceQuit() }
        check()
    }

    /// The person swiped the app away.
    func wasForceQuit() {
        if policy.forceQuit.stopsBackgroundWork {
            requests = []
            waitingPush = nil
        }
        if policy.forceQuit.cancelsTransfers { transfers.cancelAll() }
    }

    /// Another phone stands in for this one: its system has never heard of the app's wishes, or of what it used.
    ///
    /// To be called while the app is dead. That its person opened the app goes over to the new phone.
    func phoneWasReplaced() {
        transfers.forgetAll()
        requests = []
        simulation.cancel(requestEvent)
        requestEvent = .none
        waitingPush = nil
        quota = policy.standby.map { JobQuota(policy: $0) }
        normalPushes = PushAllowance(policy: policy.push.normal)
        highPushes = PushAllowance(policy: policy.push.high)
        highPushInstants = []
        limiter = policy.transfers.limiter.map { RelaunchLimiter(first: $0) }
    }

    /// Gives the app time out of sight, starting it if it has to be; false when nobody may.
    func giveTime(_ cause: WakeCause) -> Bool {
        if phone.launch == nil {
            guard phone.lifecycle.mayLaunch(.system) else { return false }
            phone.launch(.system)
        } else if phone.lifecycle.state == .suspended {
            phone.resumeProcess()
        }
        holdAwake(cause)
        return phone.launch != nil
    }

    /// Looks whether the app may go on, and suspends it if not.
    ///
    /// To be called by the world, never by app code.
    func check() {
        simulation.cancel(checkEvent)
        checkEvent = .none
        holdAwake(.job)
        guard let launch = phone.launch, phone.lifecycle.state == .background, grants.isEmpty,
            !transfers.holdsProcess
        else { return }
        let lag = max(launch.incarnation.lag(of: .main), launch.incarnation.lag(of: .background))
        let due = max(graceUntil, now + lag)
        guard due <= now else {
            checkEvent = world.schedule(at: due) { [self] in check() }
            return
        }
        phone.suspendProcess(closesSockets: policy.suspension.closesSockets)
        holdAwake(.job)
        guard policy.suspension.killsForLocks, let file = phone.lockedFile else { return }
        phone.killForLock(on: file, relaunchAfter: nil)
    }

    /// An app that runs out of sight keeps the phone awake.
    private func holdAwake(_ cause: WakeCause) {
        let isWanted = phone.launch != nil && phone.lifecycle.state == .background
        guard isWanted != holdsAwake else { return }
        holdsAwake = isWanted
        if isWanted { phone.sleep.hold(cause) } else { phone.sleep.release() }
    }

    // MARK: The network

    /// Whether the app has no network although the phone has.
    var blocksNetwork: Bool {
        guard !isInFront else { return false }
        if savesDataNow, policy.saving.lowDataStopsWindows { return true }
        // A push opens the way for its app.
        guard !grants.contains(where: { $0.kind == .push }) else { return false }
        if doze?.holdsUp == true { return true }
        guard let bucket, !bucket.hasNetwork, !isCharging else { return false }
        return grants.isEmpty
    }

    /// Whether data is to be saved on the path as it is now.
    var savesDataNow: Bool { configuration.savesData && phone.network.path.isMetered }

    /// The bucket that the app is in by its use; nil where there are none.
    var bucket: StandbyPolicy.Bucket? {
        policy.standby?.bucket(unusedFor: now - lastOpened)
    }

    /// Tells the app's network when it was cut off or let through.
    func networkMayHaveChanged() {
        let isBlocked = blocksNetwork
        guard isBlocked != wasBlocked else { return }
        wasBlocked = isBlocked
        phone.setNetworkBlocked(isBlocked)
    }

    /// The path changed: what waited for a route may go on.
    func pathChanged() {
        networkMayHaveChanged()
        transfers.advance()
        deliverWaitingPush()
        considerRequests()
    }

    /// Whether work goes on that a maintenance window of doze would wait for.
    private var holdsJobs: Bool {
        transfers.holdsProcess || grants.contains { $0.kind != .finishing }
    }

    private func dozeChanged(to state: DozeState) {
        report(.doze(state))
        networkMayHaveChanged()
        if doze?.holdsUp == true {
            // The system stops what still runs.
            transfers.stopJobs()
            for grant in grants where grant.usesQuota {
                close(grant, succeeded: false, ended: false)
            }
            check()
        } else {
            deliverWaitingPush()
            transfers.advance()
            considerRequests()
        }
    }
}
