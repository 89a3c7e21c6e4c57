import Budgets
import ClientModules
import Lab
import Measurements
import Profiles
import Testing

/// A day under Android: the shipped modules keep the budgets, and code that does not let go breaks them.
@Suite struct DayInTheLifeTests {
    // The budgets are for seeds 1..20, which `onebar run day-in-the-life` judges; two of them here.
    @Test(arguments: [1, 12] as [UInt64])
    func `the shipped modules keep the budgets of a day`(seed: UInt64) throws {
        let run = try LabRuns.run(LabRuns.scenario("day-in-the-life"), seeds: [seed])
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
        let result = try #require(run.seeds.first)
        #expect(result.breaches.isEmpty)
        #expect(result.value(of: MetricName("upload.finished")) == 5)
    }

    // The night, from 16 h on: deep doze begins within 64.5 min of the last use and holds for 1, 2 and 4 h.
    @Test func `at night the phone dozes deeply, and pushes wait for its windows`() throws {
        let run = try SystemRuns.run(LabRuns.scenario("day-in-the-life"))
        let deep = run.seconds(of: "doze is deep").filter { $0 > 16 * 3_600 }
        #expect(!deep.isEmpty)
        let deferred = run.seconds(of: "a push is deferred").filter { $0 > 16 * 3_600 }
        #expect(!deferred.isEmpty)
        #expect(run.lines.contains("a push is merged"))
    }

    // Never done: each window is used to its end, and there is always another one.
    @Test func `an app that always has something to do breaks the budget of a day`() throws {
        let run = try LabRuns.run(
            LabRuns.scenario("day-in-the-life"),
            app: LabRuns.app { launch in
                try RestlessOutbox(launch)
            }
        )
        let broken = Set(run.budgets.filter { $0.verdict == .fail }.map(\.metric.text))
        #expect(broken.contains("background.window_s"), "\(broken)")
        let shipped = try LabRuns.run(LabRuns.scenario("day-in-the-life"))
        let energy = MetricName("energy.total_j")
        let more = try #require(run.seeds.first?.value(of: energy))
        let less = try #require(shipped.seeds.first?.value(of: energy))
        #expect(more > less)
    }

    // Killed as the server has made a place for the third file: the twin asks for another one.
    @Test func `an uploader that forgets its place breaks the sessions of a day`() throws {
        let app: AppFactory = { launch in
            MessengerApp(
                launch: launch,
                outbox: try Outbox(
                    environment: launch.environment,
                    configuration: launch.configuration.outboxConfiguration(for: launch.server),
                    observer: launch.outboxObserver
                ),
                uploader: try NaiveUploader(
                    environment: launch.environment,
                    configuration: launch.configuration.uploadConfiguration(for: launch.server),
                    defects: .createdAgainAfterRelaunch,
                    observer: launch.uploadObserver
                )
            )
        }
        let run = try LabRuns.run(LabRuns.scenario("day-in-the-life"), app: app)
        let broken = Set(run.budgets.filter { $0.verdict == .fail }.map(\.metric.text))
        #expect(broken.contains("upload.sessions"), "\(broken)")
        #expect(run.verdict.outcome == .guaranteeBroken)
    }
}
