import ClientModules
import Measurements
import NetworkModel
import Profiles
import Quantities
import Synchronization
import Testing

@testable import Lab

/// What a system does not do after a reboot, for a phone that was replaced, and for one that is plugged in.
@Suite struct ReplacedPhoneTests {
    // Dead from 2 min on, in a pocket; the phone boots at 3 min. Its person opens the app at 10 min.
    @Test func `nobody starts a dead app when its phone boots`() throws {
        let scenario = try SystemRuns.scenario(
            os: "\"ios-17\"",
            workload: SuspensionPolicyTests.twoUses,
            more: #""faults": [{ "fault": "process.kill", "at": "2min" },"#
                + #"{ "fault": "power.loss", "at": "3min", "relaunch": "2s" }]"#
        )
        let run = try SystemRuns.run(scenario, app: ScriptedApp.ticking)
        let ticks = run.seconds(of: "tick")
        #expect(!ticks.contains { $0 > 120 && $0 < 600 })
        #expect(ticks.contains { $0 > 600 })
    }

    // The transfer is under way at 60 s, when the phone is replaced: the new one's system has no part in it, so
    // nothing is sent before the app is opened at 10 min. It then finds another file where the photo was.
    @Test(arguments: ["\"ios-17\"", "\"android-14\""])
    func `a phone made from a backup has no transfers of the old one`(os: String) throws {
        let run = try SystemRuns.run(
            BackgroundTransferTests.scenario(
                os,
                faults: #"{ "fault": "backup.restored", "at": "60s", "taken": "20s" }"#
            )
        )
        #expect(run.seconds(of: "transfer upload-1-0: cancelled") == [60])
        #expect(!run.seconds(of: "sends request").contains { $0 > 60 && $0 < 600 })
        #expect(run.value("upload.failed") == 1)
    }

    // Below the floor from the first moment on, plugged in at 10 min: the window comes then.
    @Test func `a low battery keeps no window from a phone that is plugged in`() throws {
        let scenario = try SystemRuns.scenario(
            os: #"{ "policy": "android-14", "refresh": { "delay": "0s" }, "#
                + #""saving": { "battery_floor": "100%" } }"#,
            // What the push draws is the first that the battery is told of.
            workload: #"{ "do": "push.receive", "at": "5s" },"#
                + #"{ "do": "phone.charge", "at": "10min", "for": "30min" }"#
        )
        let app: AppFactory = { launch in
            ScriptedApp {
                guard let background = launch.environment.background else { return }
                try? background.request(BackgroundRequest(identifier: "news"))
                for await window in background.windows() { window.end(succeeded: true) }
            }
        }
        let run = try SystemRuns.run(scenario, app: app)
        #expect(run.seconds(of: "gives the app time (refresh)") == [600])
    }

    // Asked each minute of 65: in front from 0 to 30 s, 600 to 660 s (and 5 s more) and from 3,600 s on, so at
    // 600 and 660 s and in the five minutes of the end, not in a burst as the app goes on.
    @Test func `a suspended app is asked nothing`() throws {
        let asked = Mutex(0)
        let scenario = try SystemRuns.scenario(
            os: "\"ios-17\"",
            workload: SuspensionPolicyTests.twoUses
        )
        var setup = WorldSetup(app: ScriptedApp.ticking)
        setup.probes = [
            ProbePlan(every: .seconds(60), .throughout { _ in asked.withLock { $0 += 1 } })
        ]
        _ = try SeedRunner(scenario: scenario, setup: setup).run(seed: 1)
        #expect(asked.withLock { $0 } == 7)
    }

    @Test func `an event stream under a policy is refused`() {
        let error = #expect(throws: ProfileError.self) {
            try SystemRuns.scenario(
                os: "\"ios-17\"",
                workload: SuspensionPolicyTests.twoUses,
                more: #""app": { "live": {} }, "server": { "stream": { "every": "30s" } }"#
            )
        }
        let problems = error?.problems.map(\.description) ?? []
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.contains("is not suspended with its app") })
    }

    @Test func `the system's connections are set as the app's own`() throws {
        var scenario = try BackgroundTransferTests.scenario("\"ios-17\"")
        scenario.scenario.app.http.connections = 3
        scenario.conditions.network.transport.http = .http3
        scenario.conditions.network.transport.resumesSessions = true
        scenario.conditions.network.transport.sendsEarlyData = true
        scenario.conditions.network.transport.migrates = false
        let settings = scenario.clientSettings
        #expect(settings.connectionsPerHost == 3)
        #expect(settings.applicationProtocol == .http3)
        #expect(settings.resumesSessions)
        #expect(settings.sendsEarlyData)
        #expect(!settings.quic.migrates)
        #expect(settings.transport == .tcp)
    }
}
