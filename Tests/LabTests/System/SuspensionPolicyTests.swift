import ClientModules
import Foundation
import Lab
import Measurements
import Profiles
import Testing

/// From out of sight to suspended: what each system gives, by hand.
@Suite struct SuspensionPolicyTests {
    static let twoUses = #"{ "do": "app.use", "at": "10min", "for": "1min" }"#

    // Opened at 0 s, put away at 30 s; iOS gives 5 s more, Android 10 s. Ticks come at 1, 2, ... s, so the
    // last is at 35 (40) s or just before; then nothing until 600 s, when the tick that was due comes late.
    @Test(arguments: [("\"ios-17\"", 35.0), ("\"android-14\"", 40.0)])
    func `an app out of sight runs on for a moment, then its timers stand`(
        os: String,
        last: Double
    ) throws {
        let scenario = try SystemRuns.scenario(os: os, workload: Self.twoUses)
        let run = try SystemRuns.run(scenario, app: ScriptedApp.ticking)
        let ticks = run.seconds(of: "tick")
        let before = try #require(ticks.last { $0 < 600 })
        #expect((last - 1...last).contains(before))
        #expect(ticks.contains(600))
        #expect(!ticks.contains { $0 > last && $0 < 600 })
        #expect(run.seconds(of: "the app is suspended").first == last)
        // In front it ticks on, a second after the one before.
        #expect(ticks.contains(601))
    }

    // The time asked for is 30 s, counted from when it is asked for, as the app goes out of sight at 30 s.
    @Test func `who asks for time to finish and ends it in time lives on, suspended`() throws {
        let scenario = try SystemRuns.scenario(os: "\"ios-17\"", workload: Self.twoUses)
        let run = try SystemRuns.run(scenario, app: Self.finishing(endsAfter: .seconds(20)))
        #expect(run.seconds(of: "gives the app time (finishing)").first == 30)
        #expect(run.seconds(of: "the app is suspended").first == 50)
        #expect(run.value("process.os_kills") == 0)
    }

    // The broken twin forgets `end`: over at 60 s, killed 500 ms later.
    @Test func `who never ends its time to finish is killed for it`() throws {
        let scenario = try SystemRuns.scenario(os: "\"ios-17\"", workload: Self.twoUses)
        let run = try SystemRuns.run(scenario, app: Self.finishing(endsAfter: nil))
        #expect(run.seconds(of: "is dead (backgroundTimeOver)").first == 60.5)
        #expect(run.value("process.os_kills") >= 1)
    }

    @Test func `on Android there is no time to finish to be had`() throws {
        let scenario = try SystemRuns.scenario(os: "\"android-14\"", workload: Self.twoUses)
        let run = try SystemRuns.run(scenario, app: Self.finishing(endsAfter: .seconds(20)))
        #expect(run.seconds(of: "gives the app time").isEmpty)
        #expect(run.seconds(of: "the app is suspended").first == 40)
    }

    static func finishing(endsAfter span: Duration?) -> AppFactory {
        { launch in
            ScriptedApp {
                let environment = launch.environment
                for await phase in environment.signals.phases() where phase == .background {
                    guard let window = environment.background?.beginFinishing("save") else {
                        continue
                    }
                    guard let span else { continue }
                    try? await environment.clock.sleep(for: span)
                    window.end(succeeded: true)
                }
            }
        }
    }

    // A transaction that is open as the app is suspended at 35 s: iOS kills it (0xdead10cc), Android does not.
    @Test(arguments: [("\"ios-17\"", 1.0), ("\"android-14\"", 0.0)])
    func `a lock held in suspension is a reason to be killed on iOS`(
        os: String,
        kills: Double
    ) throws {
        let scenario = try SystemRuns.scenario(os: os, workload: Self.twoUses)
        let run = try SystemRuns.run(scenario, app: LockHolder.factory)
        #expect(run.value("process.os_kills") == kills)
        // What the system kills it for is a finding, as it is when a fault suspends it.
        #expect(run.broken.contains("client.no_crash") == (kills == 1))
    }

    // 8 MB at 1 Mbit/s take 64 s. The app asks for time to finish at 30 s, and gives it back 2 s before it is
    // over, at 58 s: then the socket is gone.
    @Test func `a request under way breaks when its app is suspended`() throws {
        let scenario = try SystemRuns.scenario(
            os: "\"ios-17\"",
            workload: Self.twoUses
                + #", { "do": "request.send", "at": "5s", "to": "GET /big", "response": "8MB" }"#,
            network: #"{ "down": "1Mbps", "up": "250kbps", "rtt": "50ms" }"#
        )
        let run = try SystemRuns.run(scenario)
        let failed = run.seconds(of: "failed: networkConnectionLost")
        let first = try #require(failed.first, "\(run.lines)")
        #expect((57.5...58.1).contains(first))
    }

    // The existing behaviour, without a policy: ticks go on.
    @Test func `without a policy an app out of sight runs on`() throws {
        var scenario = try SystemRuns.scenario(
            os: "\"ios-17\"",
            workload: #"{ "do": "app.leave", "at": "1min", "for": "5min" }"#
        )
        scenario.conditions.system = nil
        let run = try SystemRuns.run(scenario, app: ScriptedApp.ticking)
        #expect(run.seconds(of: "tick").contains(200))
    }

    // The game needs 3 GB of the phone's 6; the app, suspended, holds 80 MB and nobody else is there.
    @Test func `an app killed in suspension starts cold`() throws {
        let scenario = try SystemRuns.scenario(
            os: "\"android-14\"",
            workload: #"{ "do": "app.use", "at": "5min", "for": "10min" },"#
                + #"{ "do": "app.leave", "at": "6min", "for": "5min", "other_app": "6GB" }"#
        )
        let run = try SystemRuns.run(scenario, app: ScriptedApp.ticking)
        #expect(run.value("process.os_kills") == 1)
        #expect(run.value("process.cold_starts") == 2)
        #expect(!run.seconds(of: "tick").contains { $0 > 366 && $0 < 660 })
    }
}
