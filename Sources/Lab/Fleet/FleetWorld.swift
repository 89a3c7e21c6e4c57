import ClientModules
import Foundation
import HTTPVocabulary
import NetworkModel
import Profiles
import Quantities
import ServerModel
import SimulationKernel
import Trace

/// One seed of a crowd: many clients with the real `Retrier`, one server, and what it feels.
///
/// Each client is a process of its own with its own random stream and its own retry budget, so that
/// taking one away moves no other.
package final class FleetWorld: @unchecked Sendable {
    // Confined to the thread that hosts it.
    /// Time, randomness and processes.
    package let simulation: Simulation
    /// Where everything is reported to.
    package let observations = ObservationStream()
    let server: SimulatedServer
    /// Half a round trip of the profile's first phase.
    let oneWay: Duration
    private let fleet: FleetConfiguration
    private let scenario: Scenario
    private let figures = FleetFigures()
    private let wallClock: WallClock
    private let url: URL
    private let route: String
    private let method: String
    /// What each client calls, as the trace names it and as it goes out, but for fields of its own.
    let routeLine: String
    let head: HTTPRequestHead
    private let seams = FleetSeams()
    private let files = NoFiles()
    private let calm: SimulationInstant
    private let end: SimulationInstant
    private var requests: Int64 = 0
    private var openCalls = 0

    /// Builds a crowd in which nothing has happened yet.
    package init(scenario: Scenario, fleet: FleetConfiguration, seed: UInt64, mode: LabMode) {
        self.scenario = scenario
        self.fleet = fleet
        simulation = Simulation(seed: seed, mode: mode)
        server = SimulatedServer(
            configuration: scenario.conditions.server.configuration,
            simulation: simulation,
            observations: observations
        )
        server.logLimit = 0
        guard let route = fleet.route else {
            preconditionFailure("a fleet of phones is played by World")
        }
        self.route = route
        server.serve(route, with: HTTPResponseMessage(status: 200))
        oneWay = (scenario.conditions.network.conditions.phases.first?.rtt ?? .zero) / 2
        wallClock = WallClock(simulation: simulation)
        let parts = route.split(separator: " ")
        method = String(parts[0])
        url = ServerAddress.standard.url(String(parts[1]))
        routeLine = RouteTemplate.line(method: method, url: url)
        head = HTTPRequestHead(
            method: method,
            host: url.host() ?? "",
            target: url.path(percentEncoded: true),
            fields: HTTPFieldList([])
        )
        calm = .zero + scenario.activeDuration
        end = calm + scenario.run.settle
    }

    /// Requests at the server in each 100 ms of the run so far, from its start.
    package var arrivalsByWindow: [Int] { figures.counts.map(Int.init) }

    /// Plays the run to its end; returns what broke the lab itself, or nil.
    package func play() -> KernelFault? {
        observations.add(figures)
        for fault in scenario.faults { arm(fault) }
        for index in 0..<fleet.clients { launch(index) }
        simulation.scheduleUnowned(at: calm) { [self] in
            server.restoreService()
            report(.settleBegan, device: 0)
        }
        let outcome = simulation.host { simulation.run(until: end) }
        judgeEnd()
        observations.finish(at: end)
        return outcome.fault
    }

    /// The world was judged: what it held is given back.
    func retire() {
        observations.removeAll()
        server.discard()
        simulation.retire()
    }

    // MARK: For the parts of the crowd

    func report(_ observation: Observation, device: Int) {
        observations.report(observation, at: simulation.instant, device: device)
    }

    func nextRequestNumber() -> Int64 {
        requests += 1
        return requests
    }

    func after(_ span: Duration, _ action: @escaping () -> Void) {
        simulation.scheduleUnowned(at: simulation.now + span, action)
    }

    // MARK: Clients

    private func launch(_ index: Int) {
        let process = simulation.makeProcess(named: "client", device: index)
        let incarnation = process.launch()
        var draws = simulation.stream("fleet", entity: "\(index)", purpose: "start")
        let first = fleet.starts.isFixed ? fleet.starts.lower : draws.duration(in: fleet.starts)
        let clock = SimulatedClock(
            incarnation: incarnation,
            simulation: simulation,
            wallClock: wallClock
        )
        let random = SimulatedRandom(
            stream: simulation.stream("fleet", entity: "\(index)", purpose: "jitter")
        )
        let settings = scenario.scenario.app.retry
        let budget = settings.tokenBudget.map { SharedRetryBudget($0) }
        let policy = policy
        openCalls += fleet.calls
        incarnation.start { [self] in
            await withDiscardingTaskGroup { group in
                for number in 0..<fleet.calls {
                    do {
                        try await clock.sleep(until: first + fleet.interval * number)
                    } catch {
                        return
                    }
                    let transport = FleetTransport(
                        world: self,
                        incarnation: incarnation,
                        device: index,
                        operation: "client \(index), call \(number)"
                    )
                    let retrier = Retrier(
                        environment: ClientEnvironment(
                            transport: transport,
                            clock: clock,
                            random: random,
                            path: seams,
                            signals: seams,
                            files: files,
                            directory: "/",
                            memory: seams
                        ),
                        policy: policy,
                        budget: budget
                    )
                    group.addTask { [self] in await call(retrier, device: index) }
                }
            }
        }
    }

    private var policy: RetryPolicy {
        var policy = scenario.scenario.app.retry.policy
        policy.attemptTimeout = fleet.attemptTimeout
        return policy
    }

    private func call(_ retrier: Retrier, device: Int) async {
        let begun = retrier.environment.clock.now
        var isAnswered = false
        do {
            let request = HTTPRequest(method: method, url: url, purpose: route)
            let response = try await retrier.send(request, isIdempotent: true)
            isAnswered = (200..<300).contains(response.status)
        } catch {
            // Gave up: counted below.
        }
        openCalls -= 1
        report(.userWaited(retrier.environment.clock.now - begun), device: device)
        report(.measured(name: "fleet.unanswered", value: isAnswered ? 0 : 1), device: device)
    }

    // MARK: Faults and the end

    private func arm(_ entry: FaultEntry) {
        guard case .at(let instant) = entry.placement,
            case .refuse(let status, let retryAfter, let route, let span) = entry.effect
        else { preconditionFailure("a fleet knows no \(entry.kind.rawValue)") }
        simulation.scheduleUnowned(at: .zero + instant) { [self] in
            let healed = simulation.instant + span
            server.setUnavailable(
                status: status,
                retryAfter: retryAfter,
                route: route,
                until: healed
            )
            report(
                .fault(index: entry.index, .fired(detail: "the server answered \(status)")),
                device: 0
            )
            simulation.scheduleUnowned(at: healed) { [self] in
                report(.fault(index: entry.index, .healed), device: 0)
            }
        }
    }

    /// Reports the herd after the last outage, and calls that never ended.
    private func judgeEnd() {
        figures.tell(of: scenario) { report($0, device: 0) }
        guard openCalls > 0 else { return }
        report(
            .guaranteeBroken(
                name: "settles",
                message: "\(openCalls) of \(fleet.clients * fleet.calls) calls had not ended"
            ),
            device: 0
        )
    }
}
