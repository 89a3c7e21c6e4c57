import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import Quantities
import ServerModel
import SimulationKernel

/// Runs your own module on a simulated phone, inside a Swift test.
///
/// ```swift
/// try await Lab(conditions: "commute", seeds: 1...20, faults: [.killAtEveryWrite]).run { world in
///     world.server.accept("POST /messages", identity: .json("id"))
///     let phone = world.install { launch in try Outbox(http: launch.http, ...) }
///     phone.tap(every: .seconds(30), count: 40) { outbox, n in try await outbox.send(id: "m\(n)") }
/// }
/// ```
public struct Lab: Sendable {
    private let conditions: String
    private let seeds: ClosedRange<UInt64>
    private let faults: [LabFault]

    /// Takes the conditions of a profile: its device, radio, network, and the faults that name no module.
    ///
    /// - Parameters:
    ///   - conditions: a profile's name or path.
    ///   - seeds: every seed is a world of its own; the same seed is the same world.
    ///   - faults: faults that are tried everywhere, spread over the seeds: each place once.
    public init(conditions: String, seeds: ClosedRange<UInt64> = 1...20, faults: [LabFault] = []) {
        self.conditions = conditions
        self.seeds = seeds
        self.faults = faults
    }

    /// Runs every seed, undisturbed and with each fault, and throws what it found.
    ///
    /// `declare` is called once. Worlds run one after another on the calling thread; time in them
    /// is virtual. Faults of the profile that name its own modules are left out. What breaks a
    /// guarantee is saved as a plan below `reports/tests` (`ONEBAR_REPORTS` names another folder), and
    /// `ONEBAR_REPLAY=PLAN` runs nothing but that plan in the test that it came from; other tests run
    /// nothing, and say so on stderr and in ``LabReport/notRun``.
    /// Throws `LabFailure`, or the profile's error.
    @discardableResult
    public func run(
        _ declare: (TestWorld) throws -> Void,
        file: String = #fileID,
        function: String = #function
    ) async throws -> LabReport {
        let (world, runner) = try prepare(declare)
        let place = TestPlace(file: file, function: function)
        if let replay = try PlanReplay.wanted() {
            return try replay.run(runner, place)
        }
        let sweep = ModuleSweep(runner: runner, faults: faults, place: place, book: world.book)
        return try sweep.run(rules: world.rules)
    }

    /// Searches faults, and combinations of them, that break a guarantee, and throws the first it finds.
    ///
    /// First the conditions as they are, then every single fault that the good run has a place for, then
    /// every death together with every lost answer, then pairs, then swarms on all seeds until `span` of
    /// the host's time is over. What is found is shrunk to the faults that are necessary and saved, as
    /// `run` does. Budgets are not judged, and the lab's own `faults` are not used. The code under
    /// test must not trap: it would end the test's process.
    /// Throws `LabFailure`, or the profile's error.
    @discardableResult
    public func hunt(
        for span: Duration = .seconds(10),
        _ declare: (TestWorld) throws -> Void,
        file: String = #fileID,
        function: String = #function
    ) async throws -> LabReport {
        let (world, runner) = try prepare(declare)
        let place = TestPlace(file: file, function: function)
        if let replay = try PlanReplay.wanted() {
            return try replay.run(runner, place)
        }
        let outcome = try Hunt(runner).run(Hunt.Limits(span: span))
        if var finding = outcome.finding {
            finding.plan.test = place.name
            throw FindingReport(finding: finding, place: place).failure()
        }
        if let idle = world.book.idle(runs: outcome.runs) {
            throw LabFailure([idle.line], guarantee: idle.name)
        }
        return LabReport(runs: outcome.runs, faults: outcome.coverage.struck)
    }

    private func prepare(
        _ declare: (TestWorld) throws -> Void
    ) throws -> (TestWorld, SeedRunner) {
        try HashingCheck.require(line: "swift test")
        let world = TestWorld()
        try declare(world)
        let mistakes = world.allMistakes
        guard mistakes.isEmpty else { throw LabFailure(mistakes) }
        guard let factory = world.factory else {
            throw LabFailure(["no module: call world.install { launch in ... }"])
        }
        guard !world.taps.isEmpty else {
            throw LabFailure(["nothing was done: call phone.tap(every:count:) { ... }"])
        }
        let runner = SeedRunner(
            scenario: try scenario(settle: world.settle),
            setup: setup(world, factory)
        )
        return (world, runner)
    }

    private func scenario(settle: Duration) throws -> Scenario {
        var scenario = try ScenarioReader.scenario(conditions)
        scenario.scenario.workload = []
        scenario.scenario.faults = []
        scenario.scenario.budgets = []
        // Nobody is signed in to a server that a test's own module calls.
        scenario.conditions.server.configuration.tokens = nil
        scenario.run.settle = settle
        scenario.run.seeds = SeedRange(seeds)
        scenario.conditions.faults = scenario.conditions.faults.enumerated().map { index, fault in
            var fault = fault
            fault.index = index
            fault.isStrict = false
            return fault
        }
        return scenario
    }

    private func setup(_ world: TestWorld, _ factory: @escaping AppFactory) -> WorldSetup {
        var setup = WorldSetup(app: factory)
        setup.hasSecondProcess = world.hasSecondProcess
        let routes = world.server.routes
        setup.routes = { server in
            for route in routes {
                server.accept(
                    route.line,
                    batch: route.batch,
                    identity: route.identity,
                    entity: route.entity
                )
            }
        }
        setup.taps = world.taps
        setup.probes = world.probes
        setup.tapsTakeEffect = world.requiresEffects
        setup.answersEveryHost = true
        return setup
    }
}
