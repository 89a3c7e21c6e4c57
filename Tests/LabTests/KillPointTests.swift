import ClientModules
import Lab
import Measurements
import Profiles
import SimulationKernel
import Testing
import Trace

/// The shipped modules survive a kill at every durable operation of a short run.
@Suite struct KillPointTests {
    static let durable: Set<EffectKind> = [.write, .sync, .truncate, .delete, .rename]

    /// Every durable operation of the first launch of a run in which nothing goes wrong.
    static func killPoints(
        app: @escaping AppFactory = MessengerApp.factory
    ) throws -> [EffectRecord] {
        var options = SeedRunner.Options()
        options.recordsEffects = true
        let runner = SeedRunner(
            scenario: try LabRuns.testScenario("short"),
            setup: WorldSetup(app: app)
        )
        let run = try runner.run(seed: 1, options: options)
        #expect(run.result.breaches.isEmpty, "\(run.result.breaches)")
        return run.effects.filter { durable.contains($0.record.kind) }.map(\.record)
    }

    static func run(
        dyingAt number: Int,
        happens: Bool,
        of cause: ExitCause = .injectedKill,
        app: @escaping AppFactory = MessengerApp.factory
    ) throws -> SeedResult {
        var options = SeedRunner.Options()
        options.death = .init(
            plan: KillPlan(atEffect: number, of: durable, happens: happens),
            cause: cause
        )
        let runner = SeedRunner(
            scenario: try LabRuns.testScenario("short"),
            setup: WorldSetup(app: app)
        )
        return try runner.run(seed: 1, options: options).result
    }

    @Test func `a kill at every durable operation loses and doubles nothing`() throws {
        let points = try Self.killPoints()
        #expect((20...120).contains(points.count), "\(points.count) points")
        for (index, point) in points.enumerated() {
            for happens in [false, true] {
                let result = try Self.run(dyingAt: index + 1, happens: happens)
                let place = "\(happens ? "after" : "before") \(point)"
                #expect(result.breaches.isEmpty, "\(place): \(result.breaches.map(\.message))")
                let kills = result.value(of: MetricName("process.injected_kills"))
                #expect(kills == 1, "\(place): the app was not killed")
            }
        }
    }

    /// The contract of outbox and uploader: acknowledged survives the loss of power.
    ///
    /// Goes red when their databases sync less than WAL/FULL: then a promised row can be gone.
    @Test func `a loss of power at every durable operation loses and doubles nothing`() throws {
        let points = try Self.killPoints()
        for (index, point) in points.enumerated() {
            for happens in [false, true] {
                let result = try Self.run(dyingAt: index + 1, happens: happens, of: .powerLoss)
                let place = "\(happens ? "after" : "before") \(point)"
                #expect(result.breaches.isEmpty, "\(place): \(result.breaches.map(\.message))")
                let starts = result.value(of: MetricName("process.cold_starts"))
                #expect(starts == 2, "\(place): the app was not started again")
            }
        }
    }

    @Test func `the numbering of kill points is the same in every run`() throws {
        let first = try Self.killPoints().map(\.description)
        let second = try Self.killPoints().map(\.description)
        #expect(first == second)
        #expect(first.allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: [
        (TwinDefects.inFlightNotReset, GuaranteeName.exactlyOnce),
        (.outboxRowAfterLocalRow, .exactlyOnce),
        (.cleanupInDeferReliedUpon, .exactlyOnce),
        (.createdAgainAfterRelaunch, .createdOnce),
    ])
    func `a defect that only a kill shows is found by killing everywhere`(
        defect: TwinDefects,
        guarantee: GuaranteeName
    ) throws {
        var broken: Set<GuaranteeName> = []
        for number in try Self.killPoints(app: LabRuns.twins([])).indices {
            for happens in [false, true] {
                let result = try Self.run(
                    dyingAt: number + 1,
                    happens: happens,
                    app: LabRuns.twins(defect)
                )
                broken.formUnion(result.breaches.map(\.guarantee))
            }
            if broken.contains(guarantee) { break }
        }
        #expect(broken.contains(guarantee), "found only \(broken.sorted())")
    }

    /// The control.
    @Test func `the twin without a defect loses and doubles nothing either`() throws {
        let points = try Self.killPoints(app: LabRuns.twins([]))
        for number in stride(from: 0, to: points.count, by: Sweep.isWide ? 1 : 3) {
            for happens in [false, true] {
                let result = try Self.run(
                    dyingAt: number + 1,
                    happens: happens,
                    app: LabRuns.twins([])
                )
                let messages = result.breaches.map(\.message)
                #expect(messages.isEmpty, "effect \(number + 1): \(messages)")
            }
        }
    }
}
