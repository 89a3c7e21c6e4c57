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
    /// `ONEBAR_REPLAY=PLAN` runs nothing but that plan in the test that it came from.
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
            try replay.run(runner, place)
            return LabReport()
        }
        let sweep = ModuleSweep(runner: runner, faults: faults, place: place)
        return try sweep.run(rules: world.rules)
    }

    private func prepare(
        _ declare: (TestWorld) throws -> Void
    ) throws -> (TestWorld, SeedRunner) {
        try HashingCheck.require(line: "swift test")
        let world = TestWorld()
        try declare(world)
        guard world.mistakes.isEmpty else { throw LabFailure(world.mistakes) }
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
        let routes = world.server.routes
        setup.routes = { server in
            for route in routes {
                server.accept(route.line, identity: route.identity, entity: route.entity)
            }
        }
        setup.taps = world.taps
        setup.tapsTakeEffect = world.requiresEffects
        setup.answersEveryHost = true
        return setup
    }
}
