import HTTPVocabulary
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import SQLiteStore
import ServerModel
import SimulationKernel
import Trace

/// One seed of one scenario: a phone, a network, a server, and an app that does not know.
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

    let internet = Internet()
    let address = ServerAddress.standard
    let operations = OperationKeys()
    let security: TransportSecurity
    let death: SeedRunner.DeathPlan?
    let recordsEffects: Bool
    private let lostResponse: Int?
    /// Does to the world what the profile declared.
    private(set) lazy var faults = FaultEngine(world: self, entries: scenario.faults)
    /// The only phone.
    private(set) lazy var phone = Phone(world: self, device: 0, app: setup.app)
    /// The person who holds it.
    private(set) lazy var workload = WorkloadDriver(world: self, phone: phone, plan: plan)

    /// What the server publishes, if it does.
    private(set) lazy var publisher = scenario.conditions.server.stream.map {
        EventPublisher($0, simulation: simulation, observations: observations)
    }

    /// What the phone shows.
    private(set) lazy var screen = ListScreen(world: self, phone: phone)

    private let setup: WorldSetup
    private let plan: [PlannedAction]
    private let others: [OtherActivity]
    /// Whether the app is there at all: not in the run that its marginal cost is counted from.
    let playsApp: Bool
    /// When everything heals and nobody touches the phone any more.
    private let calm: SimulationInstant
    /// When the run is over.
    let end: SimulationInstant
    private var requests: Int64 = 0

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
        EchoRoute.serve(scenario.scenario.workload, by: server)
        internet.register(address.host, responder: server)
        if setup.answersEveryHost { internet.answerEveryHost(with: server) }
        calm = SimulationInstant.zero + setup.calm(of: scenario)
        end = calm + scenario.run.settle
        let apps = scenario.conditions.otherApps
        others = OtherActivity.plan(apps, until: end, simulation: simulation)
        let calm = self.calm
        var planner = WorkloadPlanner(
            simulation: simulation,
            server: address,
            others: others.filter { $0.end < calm }
        )
        plan = planner.plan(scenario.scenario.workload, taps: setup.taps)
    }

    /// Plays the scenario to its end for the sinks that are in the stream by now.
    ///
    /// Returns what broke the lab itself, or nil.
    package func play() -> KernelFault? {
        observations.add(faults)
        observations.add(phone.energy)
        let requests = OpenRequests()
        observations.add(requests)
        let probes = ProbeRunner(world: self, plans: setup.probes)
        if recordsEffects {
            let census = CensusTaker()
            faults.census = census
            observations.add(census)
        }
        schedule(at: .zero) { [self] in
            faults.arm()
            for other in others {
                schedule(at: other.start) { [self] in
                    let awake = other.lasts + PhoneModem.hold
                    phone.sleep.wake(.push, for: awake, isCounted: false)
                    phone.declareRadioActivity(owner: other.owner, lasts: other.lasts)
                }
            }
            guard playsApp else { return }
            publisher?.begin(until: calm)
            if let lostResponse { faults.loseResponse(toRequest: lostResponse) }
            workload.begin()
            phone.launch(.firstLaunch)
            phone.system?.begin(isScreenOn: scenario.run.isScreenOn)
            probes.begin(calm: calm)
        }
        schedule(at: calm) { [self] in
            faults.heal()
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
        if let launch = phone.launch {
            for wait in requests.waits(timers: launch.incarnation.pendingTimers) {
                report(.stillWaiting(launch.label, wait), device: phone.device)
            }
        }
        phone.finish(at: end)
        observations.finish(at: end)
        return outcome.fault
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

    /// Whether the workload has a list with pictures.
    var showsPictures: Bool {
        scenario.scenario.workload.contains { entry in
            if case .scrollList(let action) = entry.action { action.picture != nil } else { false }
        }
    }

    func nextRequestNumber() -> Int64 {
        requests += 1
        return requests
    }

    func appIsReady() {
        guard phone.usableFrom <= simulation.instant else {
            let launch = phone.launch
            schedule(at: phone.usableFrom) { [self] in
                guard phone.launch === launch else { return }
                appIsReady()
            }
            return
        }
        if showsPictures { screen.appIsReady() }
        workload.appIsReady()
    }

    /// Every use of the radio that has no packets: other apps, and what the workload declares.
    var declaredActivities: [AdviceRecorder.Activity] {
        others.map { .init(owner: $0.owner, start: $0.start, lasts: $0.lasts) }
            + plan.compactMap { planned in
                guard case .radio(let lasts, _, let owner) = planned.request else { return nil }
                return .init(owner: owner, start: planned.due, lasts: lasts)
            }
    }

    /// What happened, counted, if effects were recorded.
    var census: RunCensus? {
        faults.census?.result(effects: recordedEffects, anchors: faults.anchorCounts)
    }

    /// Every effect of every launch, if they were recorded.
    var recordedEffects: [(launch: Int, record: EffectRecord)] {
        phone.incarnations.flatMap { incarnation in
            incarnation.effects.map { (incarnation.number, $0) }
        }
    }
}
