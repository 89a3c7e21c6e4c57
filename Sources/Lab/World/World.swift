import HTTPVocabulary
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import SQLiteStore
import ServerModel
import SimulationKernel
import Trace

/// One seed of one scenario: phones, their networks, a server, and an app that does not know.
///
/// The only place in which client code and simulation meet.
package final class World: @unchecked Sendable {
    // Confined to the thread that hosts it.
    /// Time, randomness and processes.
    package let simulation: Simulation
    /// Where everything is reported to.
    package let observations = ObservationStream()
    /// The server, which keeps the truth.
    package let server: SimulatedServer
    /// The scenario that is played.
    package let scenario: Scenario

    /// What the workload asks of the app.
    let needs: AppNeeds
    let internet = Internet()
    let address = ServerAddress.standard
    let security: TransportSecurity
    let death: SeedRunner.DeathPlan?
    let recordsEffects: Bool
    private let lostResponse: Int?
    /// What the server publishes, if it does.
    private(set) lazy var publisher = scenario.conditions.server.stream.map {
        EventPublisher($0, simulation: simulation, observations: observations)
    }

    /// All phones: one, or those of a fleet.
    private(set) lazy var phones = plans.map { Phone(world: self, plan: $0, app: setup.app) }
    /// The only phone, or the first of a fleet.
    var phone: Phone { phones[0] }
    /// The device of that phone; unlike `phone` it makes none, for making one is observed.
    var firstDevice: Int { plans[0].identity.device }
    /// Does to the server of a fleet what the profile declared; nil where the only phone's engine does.
    private(set) lazy var serverFaults = makeServerFaults()

    private let setup: WorldSetup
    private let plans: [PhonePlan]
    /// Whether the app is there at all: not in the run that its marginal cost is counted from.
    let playsApp: Bool
    /// When everything heals and nobody touches the phone any more.
    private let calm: SimulationInstant
    /// When the run is over.
    let end: SimulationInstant
    private var requests: Int64 = 0
    /// The number of the next action that no plan foresaw.
    private lazy var nextAction = (plans.flatMap(\.actions).map(\.action.action).max() ?? 0) + 1

    /// Builds the world of one seed, in which nothing has happened yet.
    package init(
        scenario: Scenario,
        seed: UInt64,
        mode: LabMode,
        options: SeedRunner.Options,
        setup: WorldSetup
    ) {
        self.scenario = scenario
        self.setup = setup
        needs = AppNeeds(of: scenario)
        death = options.death
        recordsEffects = options.recordsEffects
        lostResponse = options.lostResponse
        playsApp = options.playsApp
        simulation = Simulation(seed: seed, mode: mode)
        security = scenario.conditions.network.transport.security
        server = SimulatedServer(
            configuration: scenario.conditions.server.configuration,
            simulation: simulation,
            observations: observations
        )
        setup.routes(server)
        for request in scenario.scenario.workload.compactMap(\.action.call) {
            // What the built-in modules send has a service of its own, which comes first.
            let body = [UInt8](repeating: 0x61, count: Int(request.responseSize.bytes))
            server.serve(request.route, with: HTTPResponseMessage(status: 200, body: body))
        }
        internet.register(address.host, responder: server)
        if setup.answersEveryHost { internet.answerEveryHost(with: server) }
        calm = SimulationInstant.zero + setup.calm(of: scenario)
        end = calm + scenario.run.settle
        plans = PhonePlan.all(
            of: scenario,
            setup: setup,
            simulation: simulation,
            server: address,
            calm: calm,
            end: end
        )
    }

    /// A number for an action that no plan foresaw.
    func takeActionNumber() -> Int64 {
        defer { nextAction += 1 }
        return nextAction
    }

    /// Plays the scenario to its end for the sinks that are in the stream by now.
    ///
    /// Returns what broke the lab itself, or nil.
    package func play() -> KernelFault? {
        observations.add(PhoneRouter(self))
        let requests = OpenRequests()
        if phones.count == 1 { observations.add(requests) }
        let probes = ProbeRunner(world: self, plans: setup.probes)
        let figures = scenario.scenario.fleet.map { _ in FleetFigures() }
        if let figures { observations.add(figures) }
        if recordsEffects {
            let census = CensusTaker()
            phone.faults.census = census
            observations.add(census)
        }
        for phone in phones {
            schedule(at: .zero) { [self] in begin(phone) }
        }
        schedule(at: .zero) { [self] in
            serverFaults?.arm()
            guard playsApp else { return }
            publisher?.begin(until: calm)
            probes.begin(calm: calm)
        }
        schedule(at: calm) { [self] in
            for phone in phones { phone.faults.heal() }
            if phones.count > 1 { server.restoreService() }
            report(.settleBegan, device: 0)
        }
        let outcome = simulation.host { simulation.run(until: end) }
        SQLiteThreadDefault.set(nil)
        for stuck in simulation.stuckTasks {
            report(
                .guaranteeBroken(name: "client.no_shared_actor", message: "\(stuck)"),
                device: 0
            )
        }
        if phones.count == 1, let launch = phone.launch {
            for wait in requests.waits(timers: launch.incarnation.pendingTimers) {
                report(.stillWaiting(launch.label, wait), device: phone.device)
            }
        }
        if needs.showsPictures { for phone in phones { phone.screen.tellEnd() } }
        for phone in phones { phone.finish(at: end) }
        figures?.tell(of: scenario) { report($0, device: 0) }
        observations.finish(at: end)
        return outcome.fault
    }

    /// The world was judged: what it held is given back, but for what tasks that never end hold themselves.
    func retire() {
        observations.removeAll()
        internet.discard()
        server.discard()
        for phone in phones {
            phone.system?.transfers.discard()
            phone.discard()
        }
        simulation.retire()
    }

    private func begin(_ phone: Phone) {
        phone.faults.arm()
        for other in phone.plan.others {
            schedule(at: other.start) {
                let awake = other.lasts + PhoneModem.hold
                phone.sleep.wake(.push, for: awake, isCounted: false)
                phone.declareRadioActivity(owner: other.owner, lasts: other.lasts)
            }
        }
        guard playsApp else { return }
        if let lostResponse { phone.faults.loseResponse(toRequest: lostResponse) }
        guard phone.plan.start > .zero else { return open(phone) }
        schedule(at: phone.plan.start) { [self] in open(phone) }
    }

    /// The app is on the phone from now on, and its person begins.
    private func open(_ phone: Phone) {
        phone.isInstalled = true
        phone.workload.begin()
        phone.launch(.firstLaunch)
        phone.system?.begin(isScreenOn: scenario.run.isScreenOn)
    }

    private func makeServerFaults() -> FaultEngine? {
        let entries = scenario.faults.filter(\.kind.isOfServer)
        guard phones.count > 1, !entries.isEmpty else { return nil }
        return FaultEngine(world: self, phone: phone, device: 0, entries: entries)
    }

    /// What is declared for each phone: in a fleet, not what is done to the server.
    var phoneFaults: [FaultEntry] {
        plans.count == 1 ? scenario.faults : scenario.faults.filter { !$0.kind.isOfServer }
    }

    // MARK: For the parts of the world

    func report(_ observation: Observation, device: Int) {
        observations.report(observation, at: simulation.instant, device: device)
    }

    /// Schedules an event of the world's own: no kill takes it away.
    @discardableResult
    func schedule(at time: SimulationInstant, _ action: @escaping () -> Void) -> EventHandle {
        simulation.scheduleUnowned(at: time, action)
    }

    func nextRequestNumber() -> Int64 {
        requests += 1
        return requests
    }

    /// Every use of the radio that has no packets: other apps, and what the workload declares.
    var declaredActivities: [AdviceRecorder.Activity] {
        plans[0].others.map { .init(owner: $0.owner, start: $0.start, lasts: $0.lasts) }
            + plans[0].actions.compactMap { planned in
                guard case .radio(let lasts, _, let owner) = planned.request else { return nil }
                return .init(owner: owner, start: planned.due, lasts: lasts)
            }
    }

    /// What happened, counted, if effects were recorded.
    var census: RunCensus? {
        var census = phone.faults.census?.result(
            effects: recordedEffects,
            anchors: phone.faults.anchorCounts
        )
        census?.hasSession = phone.session != nil
        census?.hasSecondProcess = setup.hasSecondProcess
        return census
    }

    /// Every effect of every launch, if they were recorded.
    var recordedEffects: [(launch: Int, record: EffectRecord)] {
        phone.incarnations.flatMap { incarnation in
            incarnation.effects.map { (incarnation.number, $0) }
        }
    }
}
