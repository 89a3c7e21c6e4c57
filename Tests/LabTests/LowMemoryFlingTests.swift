import Budgets
import ClientModules
import Lab
import Measurements
import Profiles
import SimulationKernel
import Testing

/// The gallery on a small phone: the shipped cache holds the budgets, each broken twin breaks one.
@Suite struct LowMemoryFlingTests {
    static func twins(_ defects: ImageDefects) -> AppFactory {
        { launch in
            let scheduler = RequestScheduler(environment: launch.environment)
            return MessengerApp(
                launch: launch,
                outbox: try Outbox(
                    environment: launch.environment,
                    configuration: launch.configuration.outboxConfiguration(for: launch.server)
                ),
                uploader: try ChunkedUploader(
                    environment: launch.environment,
                    configuration: launch.configuration.uploadConfiguration(for: launch.server)
                ),
                images: NaiveImageCache(launch, scheduler: scheduler, defects: defects),
                scheduler: scheduler
            )
        }
    }

    static func broken(_ run: ProfileRun) -> [String] {
        run.budgets.filter { $0.verdict == .fail }.map(\.metric.text)
    }

    @Test func `the shipped cache holds every budget, and a seed gives one run`() throws {
        let scenario = try LabRuns.scenario("low-memory-fling")
        let first = try LabRuns.run(scenario, seeds: [1])
        #expect(first.verdict.outcome == .pass, "\(first.verdict.reasons)")
        #expect(first.seeds.allSatisfy { $0.value(of: MetricName("image.requests")) ?? 0 > 50 })
        let second = try LabRuns.run(scenario, seeds: [1])
        #expect(first.seeds.map(\.fingerprint) == second.seeds.map(\.fingerprint))
        #expect(first.seeds.map(\.metrics) == second.seeds.map(\.metrics))
    }

    @Test func `the twin without a defect is not killed and blurs nothing`() throws {
        let run = try LabRuns.run(
            LabRuns.scenario("low-memory-fling"),
            seeds: [1],
            app: Self.twins([])
        )
        // It has no disk and asks for everything again: the line pays for that.
        let allowed = ["network.down_bytes", "image.visible_wait_ms"]
        #expect(Set(Self.broken(run)).isSubset(of: allowed), "\(Self.broken(run))")
    }

    /// Two more stand in the museum.
    @Test(arguments: [
        (ImageDefects.capByCount, "process.memory_kills"),
        (.keyedByURLOnly, "screen.bitmap_to_place"),
        (.noCancellation, "image.decoded_total_bytes"),
    ])
    func `a broken twin breaks a budget`(defect: ImageDefects, metric: String) throws {
        let run = try LabRuns.run(
            LabRuns.scenario("low-memory-fling"),
            seeds: [1],
            app: Self.twins(defect)
        )
        #expect(Self.broken(run).contains(metric), "broken: \(Self.broken(run))")
    }

    /// The shipped cache under the same plan: `HuntFindingTests`.
    @Test func `a cache that heeds no Retry-After is blamed for it`() throws {
        try HashingCheck.require(line: "scripts/test")
        let plan = try FaultPlanReader.read(
            text: """
                {
                  "format": "onebar.plan/1", "profile": "low-memory-fling", "seed": 18,
                  "faults": [
                    { "fault": "server.unavailable", "at": "306499867603ns", "status": 503,
                      "retry_after": "10s", "for": "5s" }
                  ]
                }
                """,
            path: "retry-after.plan.json"
        )
        var options = SeedRunner.Options()
        options.plan = plan.faults
        let run = try SeedRunner(
            scenario: try LabRuns.scenario(plan.profile),
            setup: WorldSetup(app: Self.twins([]))
        ).run(seed: plan.seed, options: options)
        #expect(
            run.result.breaches.contains {
                $0.guarantee == .clientProtocol && $0.message.contains("RFC 9110, 10.2.3")
            },
            "\(run.result.breaches.map(\.message))"
        )
    }
}
