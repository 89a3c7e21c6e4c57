import HTTPVocabulary
import NetworkModel
import PhoneModel
import Profiles
import Quantities
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
    /// Does to the world what the profile declared.
    private(set) lazy var faults = FaultEngine(world: self, entries: scenario.faults)
    /// The only phone.
    private(set) lazy var phone = Phone(world: self, device: 0, app: app)
    /// The person who holds it.
    private(set) lazy var workload = WorkloadDriver(world: self, phone: phone, plan: plan)

    private let app: AppFactory
    private let plan: [PlannedAction]
    private var requests: Int64 = 0

    /// Builds the world of one seed, in which nothing has happened yet.
    ///
    /// `app` makes the app at each launch.
    package init(
        scenario: Scenario,
        seed: UInt64,
        mode: LabMode,
        options: SeedRunner.Options,
        app: @escaping AppFactory
    ) {
        self.scenario = scenario
        self.app = app
        death = options.death
        recordsEffects = options.recordsEffects
        simulation = Simulation(seed: seed, mode: mode)
        security = scenario.conditions.network.transport.security
        server = SimulatedServer(
            configuration: scenario.conditions.server.configuration,
            simulation: simulation,
            observations: observations
        )
        server.acceptStandardRoutes()
        for case .request(let request) in scenario.scenario.workload.map(\.action) {
            // What the built-in modules send has a service of its own, which comes first.
            let body = [UInt8](repeating: 0x61, count: Int(request.responseSize.bytes))
            server.serve(request.route, with: HTTPResponseMessage(status: 200, body: body))
        }
        internet.register(address.host, responder: server)
        var planner = WorkloadPlanner(simulation: simulation, server: address)
        plan = planner.plan(scenario.scenario.workload)
    }

    /// Plays the scenario to its end for the sinks that are in the stream by now.
    ///
    /// Returns what broke the lab itself, or nil.
    package func play() -> KernelFault? {
        observations.add(faults)
        let calm = SimulationInstant.zero + scenario.activeDuration
        let end = calm + scenario.run.settle
        schedule(at: .zero) { [self] in
            faults.arm()
            workload.begin()
            phone.launch(.firstLaunch)
        }
        schedule(at: calm) { [self] in
            faults.heal()
            report(.settleBegan, device: 0)
        }
        let outcome = simulation.host { simulation.run(until: end) }
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

    func nextRequestNumber() -> Int64 {
        requests += 1
        return requests
    }

    func appIsReady() {
        workload.appIsReady()
    }

    /// Every effect of every launch, if they were recorded.
    var recordedEffects: [(launch: Int, record: EffectRecord)] {
        phone.incarnations.flatMap { incarnation in
            incarnation.effects.map { (incarnation.number, $0) }
        }
    }
}
