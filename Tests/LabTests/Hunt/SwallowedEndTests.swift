import Lab
import Measurements
import Profiles
import Testing

/// What an outbox gave up in the last moment of a launch.
///
/// A hunt of 19,000 plans found this story: the outbox had written down that a message was refused, and
/// was killed before it could say so. Nobody was told, as nothing read the dead letters at the next start.
@Suite struct SwallowedEndTests {
    static let plan = """
        {
          "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 11,
          "faults": [
            { "fault": "server.error", "nth": 1, "status": 422, "identity": "m2", "times": "all" },
            { "fault": "process.kill", "in": "write", "of": "uploads.sqlite-wal", "nth": 4,
              "launch": 2, "side": "after", "relaunch": "2s" },
            { "fault": "process.kill", "in": "write", "of": "outbox.sqlite-wal", "nth": 9,
              "launch": 3, "side": "after", "relaunch": "2s" },
            { "fault": "response.lost", "nth": 5, "after_bytes": 40, "then": "blackhole" },
            { "fault": "process.kill", "during": "outbox.commit", "nth": 7, "effect": 2,
              "relaunch": "2s" }
          ]
        }
        """

    @Test func `what was given up is told at the next start if a kill swallowed it`() throws {
        let plan = try FaultPlanReader.read(text: Self.plan, path: "swallowed.plan.json")
        var options = SeedRunner.Options()
        options.plan = plan.faults
        let run = try SeedRunner(
            scenario: try LabRuns.scenario("messages-and-upload"),
            setup: WorldSetup(app: MessengerApp.factory)
        ).run(seed: plan.seed, options: options)
        #expect(run.result.breaches.map(\.message) == [])
        #expect(run.result.faults.suffix(plan.faults.count).allSatisfy { $0.fired > 0 })
        // The attempt before the refused one had no answer, so nobody knows.
        #expect(run.counts.unknown == 1)
        // Once, though every later start shows it again.
        #expect(run.result.value(of: MetricName("outbox.dead_lettered")) == 1)
    }
}
