import ClientModules
import Lab
import Measurements
import Profiles
import Testing

/// Uploads that the system carries out: they outlive the app's process.
@Suite struct BackgroundTransferTests {
    /// 3 MB at 250 kbit/s take 96 s; begun at 10 s, while the app is in front until 30 s.
    static func scenario(
        _ os: String,
        background: Bool = true,
        faults: String = "",
        more: String = ""
    ) throws -> Scenario {
        try SystemRuns.scenario(
            os: os,
            workload: #"{ "do": "photo.upload", "at": "10s", "size": "3MB" },"#
                + #"{ "do": "app.use", "at": "10min", "for": "1min" }"# + more,
            more: #""app": { "uploader": { "background": \#(background) } }"#
                + (faults.isEmpty ? "" : #", "faults": [\#(faults)]"#),
            network: #"{ "down": "1Mbps", "up": "250kbps", "rtt": "50ms" }"#
        )
    }

    private func acknowledged(_ run: SeedRun) throws -> Double {
        try #require(run.seconds(of: "is acknowledged").first)
    }

    // 10 s + 96 s of payload, a twentieth more for heads, and a HEAD: before 120 s.
    @Test(arguments: ["\"ios-17\"", "\"android-14\""])
    func `an upload goes on while the app is out of sight, which is told of its end`(
        os: String
    ) throws {
        let run = try SystemRuns.run(Self.scenario(os))
        #expect((106...120).contains(try acknowledged(run)))
        #expect(run.seconds(of: "gives the app time (transfer)").count == 1)
        #expect(run.value("upload.sessions") == 1)
        #expect(run.broken.isEmpty)
    }

    // The app's own sockets die at 35 s (40 s): nothing happens before it is opened again at 600 s, but for
    // what 30 s of finishing, a refresh or a job give it.
    @Test func `without the system an upload waits for the app`() throws {
        let run = try SystemRuns.run(Self.scenario("\"ios-17\"", background: false))
        #expect(try acknowledged(run) > 600)
        #expect(run.value("upload.sessions") == 1)
        #expect(run.broken.isEmpty)
    }

    // Killed at 60 s. iOS: the transfer is nsurlsessiond's and goes on; the app is started to hear of it.
    @Test func `on iOS a transfer outlives the app's death`() throws {
        let run = try SystemRuns.run(
            Self.scenario("\"ios-17\"", faults: #"{ "fault": "process.kill", "at": "60s" }"#)
        )
        #expect((106...120).contains(try acknowledged(run)))
        #expect(run.seconds(of: "launch 2 (system)").count == 1)
        #expect(run.value("upload.sessions") == 1)
        #expect(run.broken.isEmpty)
    }

    // Android: the job died with its process, is started again after 30 s, before light doze (out of sight at
    // 30 s, inactive at 90 s), and finds that the server kept a part (409); the app asks for the offset and
    // hands over the rest.
    @Test func `on Android a job begins again after its process died`() throws {
        let run = try SystemRuns.run(
            Self.scenario("\"android-14\"", faults: #"{ "fault": "process.kill", "at": "50s" }"#)
        )
        #expect(run.seconds(of: ": started").count >= 3)
        #expect(run.seconds(of: ": started").dropFirst().first == 80)
        #expect(try acknowledged(run) < 600)
        #expect(run.value("upload.sessions") == 1)
        #expect(run.value("upload.finished") == 1)
        #expect(run.broken.isEmpty)
    }

    @Test func `on iOS a swipe away cancels transfers until the app is opened again`() throws {
        let run = try SystemRuns.run(
            Self.scenario("\"ios-17\"", faults: #"{ "fault": "process.force_quit", "at": "60s" }"#)
        )
        #expect(run.seconds(of: "transfer upload-1-0: cancelled") == [60])
        #expect(!run.seconds(of: "sends request").contains { $0 > 60 && $0 < 600 })
        #expect(try acknowledged(run) > 600)
        #expect(run.value("upload.sessions") == 1)
        #expect(run.broken.isEmpty)
    }

    /// When a system takes up again what the network broke.
    struct SecondTry: Sendable {
        var os: String
        /// Seconds into the run.
        var at: Double
        /// Whether it is through before the app is opened again.
        var isEnough: Bool
    }

    // The line is cut from 40 s to 100 s, and the app is opened again at 600 s only: the system tries again by
    // itself. iOS does as the path is back; from 100 s on 96 s of payload are through long before 600 s.
    // Android is in light doze by then, which begins a minute after the phone lies idle (30 s) and opens a
    // window of a minute after five: at 390 s. The rest, 2.2 MB, takes 70 s, so that the app has to end it.
    @Test(arguments: [
        SecondTry(os: "\"ios-17\"", at: 100, isEnough: true),
        SecondTry(os: "\"android-14\"", at: 390, isEnough: false),
    ])
    func `the system tries again what the network broke`(expected: SecondTry) throws {
        let run = try SystemRuns.run(
            Self.scenario(
                expected.os,
                faults: #"{ "fault": "network.down", "at": "40s", "for": "1min" }"#
            )
        )
        #expect(run.result.faults.map(\.fired) == [1])
        #expect(run.seconds(of: ": started").dropFirst().first == expected.at)
        #expect(try (acknowledged(run) < 600) == expected.isEnough)
        #expect(run.value("upload.finished") == 1)
        #expect(run.value("upload.sessions") == 1)
        #expect(run.broken.isEmpty)
    }

    // 3 MB are halved from transfer to transfer: 1.5 MB, 750, 375, 187.5, 93.75, 46.875 and 23.4375 kB; half of that
    // is less than the 16 KiB below which heads outweigh bytes, so that the eighth refusal is the last.
    @Test(arguments: ["\"ios-17\"", "\"android-14\""])
    func `a rest that the server calls too large is handed over in smaller ones`(os: String) throws
    {
        let run = try SystemRuns.run(
            Self.scenario(
                os,
                faults: #"{ "fault": "server.error", "to": "PATCH /files/*", "status": 413, "#
                    + #""times": "all" }"#
            )
        )
        #expect(run.seconds(of: ": started").count == 8)
        #expect(run.value("upload.failed") == 1)
        #expect(run.broken.isEmpty)
    }

    // Ten seeds of kills at random commits of the uploader, on a lossy line.
    @Test(arguments: ["\"ios-17\"", "\"android-14\""], 1...5 as ClosedRange<UInt64>)
    func `whatever dies, each file arrives once and whole`(os: String, seed: UInt64) throws {
        let scenario = try SystemRuns.scenario(
            os: os,
            workload:
                #"{ "do": "photo.upload", "at": ["5s", "15s", "20s"], "size": "200kB..2MB" },"#
                + #"{ "do": "app.use", "every": "5min..20min", "from": "5min", "count": 3, "for": "40s" }"#,
            more: """
                "app": { "uploader": { "background": true } },
                "faults": [
                  { "fault": "process.kill", "during": "upload.commit", "nth": \(seed + 2),
                    "relaunch": "3s", "strict": false },
                  { "fault": "process.kill", "after": "upload.completed", "nth": 1, "strict": false },
                  { "fault": "response.lost", "to": "PATCH /files/*", "nth": 2, "strict": false },
                  { "fault": "connection.reset", "at": "50s", "strict": false }
                ]
                """,
            network: #"{ "down": "1Mbps", "up": "250kbps", "rtt": "80ms", "loss": "1%" }"#
        )
        let run = try SystemRuns.run(scenario, seed: seed)
        let fired = run.result.faults.map(\.fired)
        #expect(fired[0] + fired[1] >= 1, "no process.kill fired")
        #expect(fired[2] == 1, "no response.lost fired")
        #expect(run.broken.isEmpty, "\(run.result.breaches)")
        // A kill may cut a promise before it was made: two of three are kept at least.
        let finished = run.value("upload.finished")
        #expect((2...3).contains(finished))
        #expect(finished >= Double(run.seconds(of: "is promised photo").count))
        #expect(run.value("upload.sessions") == finished)
    }

    // Killed as the app hears what the server has. The right one has confirmed nothing yet and is told again;
    // its twin has confirmed before it kept what it heard, and waits for ever.
    @Test(arguments: [false, true])
    func `who confirms a completion before keeping it loses it`(confirmsFirst: Bool) throws {
        let scenario = try Self.scenario(
            "\"ios-17\"",
            faults: #"{ "fault": "process.kill", "after": "response.received", "nth": 3 }"#
        )
        let app: AppFactory = { launch in
            MessengerApp(
                launch: launch,
                outbox: try Outbox(
                    environment: launch.environment,
                    configuration: launch.configuration.outboxConfiguration(for: launch.server)
                ),
                uploader: try HandOverUploader(launch, confirmsFirst: confirmsFirst)
            )
        }
        let run = try SystemRuns.run(scenario, app: app)
        #expect(run.broken.contains("settles") == confirmsFirst, "\(run.broken)")
        #expect(run.value("upload.finished") == (confirmsFirst ? 0 : 1))
    }

    // 2 MB from 10 s on; suspended at 35 s, gone on at 600 s. A watchdog of 2 min that counts the time in which
    // the app ran does not bite; its twin, a plain timer, fires as the app goes on and begins anew.
    @Test(arguments: [false, true])
    func `who takes a timer for time in which the app ran uploads twice`(
        trustsTimer: Bool
    ) throws {
        let scenario = try SystemRuns.scenario(
            os: "\"ios-17\"",
            workload: #"{ "do": "photo.upload", "at": "10s", "size": "2MB" },"#
                + #"{ "do": "app.use", "at": "10min", "for": "4min" }"#,
            network: #"{ "down": "1Mbps", "up": "250kbps", "rtt": "50ms" }"#
        )
        let app: AppFactory = { launch in
            MessengerApp(
                launch: launch,
                outbox: try Outbox(
                    environment: launch.environment,
                    configuration: launch.configuration.outboxConfiguration(for: launch.server)
                ),
                uploader: WatchdogUploader(launch, trustsTimer: trustsTimer)
            )
        }
        let run = try SystemRuns.run(scenario, app: app)
        #expect(
            run.broken.contains("upload.created_once") == trustsTimer,
            "\(run.result.breaches)"
        )
        #expect(run.value("upload.sessions") == (trustsTimer ? 2 : 1))
    }
}
