import ClientModules
import Lab
import Measurements
import Profiles
import Testing

/// Windows and pushes: what each system gives, when it gives it.
@Suite struct BackgroundWindowTests {
    /// A message at 20 s, into a network that is down from 15 s to 1,215 s.
    static let offline = #""faults": [{ "fault": "network.down", "at": "15s", "for": "20min" }]"#
    static let message = #"{ "do": "message.send", "at": "20s" }"#

    // Put away at 30 s. The wish is granted 15 to 90 min after it was made, and the app has ended it soon.
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `on iOS a refresh comes when the system likes`(seed: UInt64) throws {
        let scenario = try SystemRuns.scenario(
            os: "\"ios-17\"",
            workload: Self.message,
            more: Self.offline,
            length: "2h"
        )
        let run = try SystemRuns.run(scenario, seed: seed)
        let windows = run.seconds(of: "gives the app time (refresh)")
        let first = try #require(windows.first)
        // It is asked for as the app goes out of sight, and again as the time to finish runs out at 58 s.
        #expect((30 + 900...58 + 5_400).contains(first), "\(windows)")
        #expect(run.value("outbox.acknowledged") == 1)
        #expect(run.value("process.os_kills") == 0)
        #expect(run.broken.isEmpty)
    }

    // Dark at 30 s, so light doze holds from 90 s, with windows at 390, 995 and 1,900 s. The first two find
    // no route; when it comes back at 1,215 s the phone dozes.
    @Test func `on Android a job waits for a route and then for doze's window`() throws {
        let scenario = try SystemRuns.scenario(
            os: "\"android-14\"",
            workload: Self.message,
            more: Self.offline
        )
        let run = try SystemRuns.run(scenario)
        #expect(run.seconds(of: "doze is light").first == 90)
        #expect(run.seconds(of: "doze is lightWindow").prefix(3) == [390, 995, 1_900])
        #expect(run.seconds(of: "gives the app time (refresh)") == [1_900])
        let acknowledged = try #require(run.seconds(of: "is acknowledged").first)
        #expect((1_900...1_905).contains(acknowledged))
        #expect(run.broken.isEmpty)
    }

    @Test(arguments: [
        #"{ "policy": "ios-17", "low_power": true }"#,
        #"{ "policy": "ios-17", "low_data": true }"#,
        #"{ "policy": "android-14", "low_power": true }"#,
        #"{ "policy": "android-14", "low_data": true }"#,
    ])
    func `who saves power or data gives no windows`(os: String) throws {
        let scenario = try SystemRuns.scenario(
            os: os,
            workload: Self.message,
            more: Self.offline,
            network: #"{ "over": "cellular", "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" }"#,
            length: "2h"
        )
        let run = try SystemRuns.run(scenario)
        #expect(run.seconds(of: "gives the app time (refresh)").isEmpty)
        // Its person opens the app when all has healed: nothing is lost.
        #expect(run.value("outbox.acknowledged") == 1)
        #expect(run.broken.isEmpty)
    }

    // Swiped away at 1 min: iOS starts the app for nobody; Android runs its jobs all the same.
    @Test(arguments: [("\"ios-17\"", true), ("\"android-14\"", false)])
    func `a swipe away ends background work where the system says so`(
        os: String,
        ends: Bool
    ) throws {
        let scenario = try SystemRuns.scenario(
            os: os,
            workload: Self.message
                + #", { "do": "push.receive", "at": "45min", "priority": "high" }"#,
            more: """
                "faults": [
                  { "fault": "network.down", "at": "15s", "for": "20min" },
                  { "fault": "process.force_quit", "at": "1min" }
                ]
                """,
            length: "2h"
        )
        let run = try SystemRuns.run(scenario)
        let given = run.seconds(of: "gives the app time").filter { $0 > 60 }
        #expect(given.isEmpty == ends, "\(given)")
        #expect(run.seconds(of: "a push is dropped").isEmpty == !ends)
        #expect(run.value("outbox.acknowledged") == 1)
        #expect(run.broken.isEmpty)
    }

    // Light doze holds from 90 s; its first window is at 390 s.
    @Test func `in doze a push of normal priority waits for a window, one of high does not`() throws
    {
        let scenario = try SystemRuns.scenario(
            os: "\"android-14\"",
            workload: #"{ "do": "push.receive", "at": "200s" },"#
                + #"{ "do": "push.receive", "at": ["210s", "300s"], "priority": "high" }"#
        )
        let run = try SystemRuns.run(scenario)
        #expect(run.seconds(of: "a push is deferred") == [200])
        #expect(run.seconds(of: "a push is delivered") == [210, 300, 390])
        #expect(run.seconds(of: "sends request").count == 3)
        #expect(run.seconds(of: "the app did not end it").isEmpty)
    }

    // Five in five minutes; three at once are allowed, the next 20 min after the first.
    @Test func `iOS lets three silent pushes through at once`() throws {
        let scenario = try SystemRuns.scenario(
            os: "\"ios-17\"",
            workload: #"{ "do": "push.receive", "every": "1min", "from": "2min", "count": 5 }"#
        )
        let run = try SystemRuns.run(scenario)
        #expect(run.seconds(of: "a push is delivered") == [120, 180, 240])
        #expect(run.seconds(of: "a push is throttled") == [300, 360])
    }

    // The twin goes on for ever in its window: 30 s after the push at 120 s, and 500 ms of grace.
    @Test func `who never ends the window of a push is killed`() throws {
        let scenario = try SystemRuns.scenario(
            os: "\"ios-17\"",
            workload: #"{ "do": "push.receive", "at": "2min" }"#
        )
        let run = try SystemRuns.run(scenario, app: ScriptedApp.ticking)
        #expect(run.seconds(of: "is dead (backgroundTimeOver)") == [150.5])
    }

    // Asked for at 0 s, in front; given as the app goes out of sight at 30 s. Doze waits for work until
    // 60 s + 3 min after the screen went dark, 270 s, and then stops the job; its first window is at 570 s.
    @Test func `a job that does not end is stopped by doze, and goes on in its window`() throws {
        let scenario = try SystemRuns.scenario(
            os: #"{ "policy": "android-14", "refresh": { "delay": "0s" } }"#,
            workload: #"{ "do": "phone.charge", "at": "59min", "for": "1min" }"#
        )
        let run = try SystemRuns.run(scenario, app: Self.greedy)
        #expect(run.seconds(of: "gives the app time (refresh)").prefix(2) == [30, 570])
        #expect(run.seconds(of: "the app did not end it").first == 270)
    }

    /// Asks for a refresh again and again, and never says that it is done.
    static let greedy: AppFactory = { launch in
        ScriptedApp {
            let environment = launch.environment
            guard let background = environment.background else { return }
            try? background.request(BackgroundRequest(identifier: "greedy"))
            for await _ in background.windows() {
                try? background.request(BackgroundRequest(identifier: "greedy"))
            }
        }
    }

    // One refresh and ten processing requests wait on iOS.
    @Test func `too many requests are refused`() throws {
        let scenario = try SystemRuns.scenario(
            os: "\"ios-17\"",
            workload: #"{ "do": "push.receive", "at": "2min" }"#
        )
        let app: AppFactory = { launch in
            ScriptedApp {
                guard launch.number == 1, let background = launch.environment.background else {
                    return
                }
                for kind in [BackgroundRequestKind.refresh, .processing] {
                    for number in 1...11 {
                        do {
                            try background.request(
                                BackgroundRequest(identifier: "\(kind)-\(number)", kind: kind)
                            )
                        } catch {
                            launch.log("\(kind) \(number) is refused")
                        }
                    }
                }
            }
        }
        let run = try SystemRuns.run(scenario, app: app)
        let refused = run.story.map(\.text).filter { $0.contains("is refused") }
        #expect(refused.count { $0.contains("refresh") } == 10)
        #expect(refused.count { $0.contains("processing 11") } == 1)
        #expect(refused.count { $0.contains("processing") } == 1)
    }

    // Plugged in from 10 to 40 min: long work comes then, not before.
    @Test(arguments: ["\"ios-17\"", "\"android-14\""])
    func `long work waits for the charger`(os: String) throws {
        let scenario = try SystemRuns.scenario(
            os: os,
            workload: #"{ "do": "phone.charge", "at": "70min", "for": "2h" }"#,
            length: "4h"
        )
        let app: AppFactory = { launch in
            ScriptedApp {
                guard let background = launch.environment.background else { return }
                try? background.request(
                    BackgroundRequest(identifier: "clean", kind: .processing)
                )
                for await window in background.windows() { window.end(succeeded: true) }
            }
        }
        let run = try SystemRuns.run(scenario, app: app)
        let windows = run.seconds(of: "gives the app time (processing)")
        #expect(windows == [4_200])
    }
}
