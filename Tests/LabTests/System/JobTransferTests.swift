import ClientModules
import Lab
import PhoneModel
import Profiles
import Quantities
import Testing

/// Android's transfers are jobs: they end in time, and use the app's quota out of sight.
@Suite struct JobTransferTests {
    private static func scenario(
        _ workload: String,
        size: String,
        up: String,
        faults: String = "",
        server: String = "",
        length: String = "1h"
    ) throws -> Scenario {
        try SystemRuns.scenario(
            os: #"{ "policy": "android-14", "transfers": { "discretion": "10s" } }"#,
            workload: #"{ "do": "photo.upload", "at": "10s", "size": "\#(size)" }"# + workload,
            more: #""app": { "uploader": { "background": true } }"#
                + (faults.isEmpty ? "" : #", "faults": [\#(faults)]"#)
                + (server.isEmpty ? "" : #", "server": \#(server)"#),
            network: #"{ "down": "1Mbps", "up": "\#(up)", "rtt": "50ms" }"#,
            length: length
        )
    }

    // 9 MB at 100 kbit/s take 720 s. Plugged in nothing dozes and no quota counts, but a worker may run for
    // 10 min: it is stopped and given back. The app asks what the server kept, and hands over the rest.
    @Test func `a transfer on Android is stopped after ten minutes and given back`() throws {
        let scenario = try Self.scenario(
            #", { "do": "phone.charge", "at": "1s", "for": "12min" }"#,
            size: "9MB",
            up: "100kbps",
            length: "12min"
        )
        let run = try SystemRuns.run(scenario, app: Self.wholeFiles)
        let starts = run.seconds(of: ": started")
        try #require(starts.count >= 2, "\(run.lines)")
        let stops = run.seconds(of: ": ranOutOfTime")
        #expect(stops.map { (($0 - starts[0]) * 1_000).rounded() } == [600_000], "\(run.lines)")
        #expect(run.seconds(of: ": waits") == [])
    }

    // The job that began in front is free; it dies with its process at 50 s and begins again at 80 s, out of sight
    // and counted. Of 1 min in 10 it uses all: stopped at 140 s, it may begin when half of that minute (the buffer
    // of 30 s) has left the window, at 80 + 600 + 30 s. The other half is still in it, so 30 s are left; after
    // the third wait, of 120 s, the window is free.
    @Test func `a transfer on Android uses the quota of jobs out of sight`() throws {
        var scenario = try Self.scenario(
            "",
            size: "1MB",
            up: "25kbps",
            faults: #"{ "fault": "process.kill", "at": "50s" }"#
        )
        scenario.conditions.system?.policy.doze = nil
        scenario.conditions.system?.policy.standby?.buckets[0].time = .seconds(60)
        let run = try SystemRuns.run(scenario, app: Self.wholeFiles)
        let starts = run.seconds(of: ": started")
        #expect(starts.dropFirst().prefix(3) == [80, 710, 860], "\(starts)")
    }

    // A worker is stopped after a minute here, so that a tenth of the bytes shows the same: 900 kB at 100 kbit/s
    // take 72 s, and of a body that breaks off the server keeps nothing. In pieces two of 375 kB take 30 s each,
    // a twentieth more for heads, and the rest 12 s; out of sight, from 30 s on, each of them waits 10 s.
    @Test func `a large file gets through a slow line in pieces, and never as a whole`() throws {
        var scenario = try Self.scenario(
            #", { "do": "phone.charge", "at": "1s", "for": "1h" }"#,
            size: "900kB",
            up: "100kbps",
            server: #"{ "partial_bodies": "none" }"#,
            length: "5min"
        )
        let minute = QuantityRange<Duration>(.seconds(60), .seconds(60))
        scenario.conditions.system?.policy.refresh.length = minute
        let pieces = try SystemRuns.run(scenario)
        #expect(pieces.broken == [])
        #expect(pieces.seconds(of: ": started").count == 3, "\(pieces.lines)")
        #expect(pieces.seconds(of: ": waits") == [])
        let ends = pieces.seconds(of: ": finished")
        #expect((ends.last ?? .infinity) < 130, "\(ends)")

        let whole = try SystemRuns.run(scenario, app: Self.wholeFiles)
        #expect(whole.broken == ["settles"], "\(whole.lines)")
        #expect(whole.seconds(of: ": finished") == [])
        // Stopped after 60 s each time, given back, and handed over whole again.
        let spans = zip(whole.seconds(of: ": started"), whole.seconds(of: ": ranOutOfTime"))
            .map { ($1 - $0).rounded() }
        #expect(spans.count >= 3 && spans.allSatisfy { $0 == 60 }, "\(spans)")
    }

    /// An app that does not know that a transfer is stopped, and hands over all of a file at once.
    private static let wholeFiles: AppFactory = { launch in
        var environment = launch.environment
        environment.backgroundTransfers = launch.environment.backgroundTransfers
            .map { UnlimitedTransfers($0) }
        return MessengerApp(
            launch: launch,
            outbox: try Outbox(
                environment: environment,
                configuration: launch.configuration.outboxConfiguration(for: launch.server),
                observer: launch.outboxObserver
            ),
            uploader: try ChunkedUploader(
                environment: environment,
                configuration: launch.configuration.uploadConfiguration(for: launch.server),
                observer: launch.uploadObserver
            )
        )
    }
}
