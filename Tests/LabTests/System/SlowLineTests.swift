import ClientModules
import Lab
import Measurements
import PhoneModel
import Profiles
import Quantities
import Testing

/// Uploads by the system on lines that hardly move: they take long, and end.
@Suite struct SlowLineTests {
    /// A phone that is plugged in, so that nothing dozes and no quota counts; its server keeps nothing of a body
    /// that breaks off.
    private static func scenario(
        os: String,
        size: String,
        network: String,
        faults: String = "",
        limit: Duration? = nil,
        length: String = "1h"
    ) throws -> Scenario {
        var scenario = try SystemRuns.scenario(
            os: #"{ "policy": "\#(os)", "transfers": { "discretion": "10s" } }"#,
            workload: #"{ "do": "photo.upload", "at": "10s", "size": "\#(size)" },"#
                + #"{ "do": "phone.charge", "at": "1s", "for": "3h" }"#,
            more: #""app": { "uploader": { "background": true } },"#
                + #""server": { "partial_bodies": "none" }"#
                + (faults.isEmpty ? "" : #", "faults": [\#(faults)]"#),
            network: network,
            length: length
        )
        if let limit {
            scenario.conditions.system?.policy.refresh.length = QuantityRange(limit, limit)
        }
        return scenario
    }

    struct Line: Sendable {
        var os: String
        var up: String
        /// Seconds from the promise within which the file is there.
        var within: Double
    }

    // 2 MB at 25 kbit/s take 640 s, a twentieth more for heads; at 50 kbit/s 320 s. iOS lets a transfer run: 672
    // and 336 s. So does Android at 50 kbit/s. At 25 kbit/s it stops the first after 600 s, of which nothing is
    // left. Then 500 kB go at a time, 168 s and up to 20 s of waits each, four times: 1,352 s.
    @Test(arguments: [
        Line(os: "ios-17", up: "25kbps", within: 690),
        Line(os: "ios-17", up: "50kbps", within: 350),
        Line(os: "android-14", up: "25kbps", within: 1_400),
        Line(os: "android-14", up: "50kbps", within: 350),
    ])
    func `a slow line carries a file in the end`(line: Line) throws {
        let run = try SystemRuns.run(
            Self.scenario(
                os: line.os,
                size: "2MB",
                network: #"{ "down": "1Mbps", "up": "\#(line.up)", "rtt": "50ms" }"#
            )
        )
        #expect(run.broken == [], "\(run.lines)")
        let end = try #require(run.seconds(of: "is acknowledged").first, "\(run.lines)")
        #expect(end - 10 < line.within)
        // A line that moves is not broken off.
        #expect(run.seconds(of: ": waits") == [])
    }

    // A job may run for a minute here, so that a tenth of the bytes shows the same: the first piece is 375 kB. At
    // 5 Mbit/s it is through in a second, and the next is four times as large, 1.5 MB. From 12 s on the line has 50
    // kbit/s, where that takes 240 s. It is stopped after a minute, and so is a quarter of it: 375 kB take 60 s
    // without heads. 93.75 kB take 16 s. From then on a piece is what fits into half a minute.
    private static func fallingLine() throws -> Scenario {
        try scenario(
            os: "android-14",
            size: "4MB",
            network: """
                { "phases": [
                  { "name": "fast", "for": "12s", "over": "cellular",
                    "down": "5Mbps", "up": "5Mbps", "rtt": "50ms" },
                  { "name": "slow", "for": "3h", "over": "cellular",
                    "down": "1Mbps", "up": "50kbps", "rtt": "50ms" }
                ] }
                """,
            limit: .seconds(60)
        )
    }

    @Test func `a line that falls to a hundredth in the middle carries the rest in smaller pieces`()
        throws
    {
        let run = try SystemRuns.run(Self.fallingLine())
        #expect(run.broken == [], "\(run.lines)")
        #expect(run.seconds(of: ": ranOutOfTime").count == 2, "\(run.lines)")
        #expect(run.value("upload.finished") == 1)
        #expect(run.value("upload.sessions") == 1)
    }

    @Test func `pieces of one size stick on a line that falls, which the lab says`() throws {
        let run = try SystemRuns.run(Self.fallingLine()) { launch in
            MessengerApp(
                launch: launch,
                outbox: try Outbox(
                    environment: launch.environment,
                    configuration: launch.configuration.outboxConfiguration(for: launch.server),
                    observer: launch.outboxObserver
                ),
                uploader: FixedPieceUploader(launch, size: 375_000)
            )
        }
        #expect(run.broken == ["settles"], "\(run.lines)")
        #expect(run.value("upload.finished") == 0)
    }

    // 400 kB at 100 kbit/s take 32 s, begun at 10 s; the line breaks 10 s into each try, which begin 30 and then 60 s
    // later. WorkManager would begin again for ever. After the third the app has it back, and asks for half as much.
    @Test func `what breaks three times is given back`() throws {
        let breaks = [20, 60, 130].map { #"{ "fault": "connection.reset", "at": "\#($0)s" }"# }
        let run = try SystemRuns.run(
            Self.scenario(
                os: "android-14",
                size: "400kB",
                network: #"{ "down": "1Mbps", "up": "100kbps", "rtt": "50ms" }"#,
                faults: breaks.joined(separator: ", "),
                limit: .seconds(64)
            )
        )
        #expect(run.result.faults.map(\.fired) == [1, 1, 1])
        #expect(run.broken == [], "\(run.lines)")
        #expect(run.seconds(of: ": waits").count == 2, "\(run.lines)")
        #expect(run.seconds(of: ": failed").map { $0.rounded() } == [130], "\(run.lines)")
        // Three times the whole file, which is 400 kB as are half of 64 s, and then the halves of it.
        #expect(run.seconds(of: ": started").count == 5, "\(run.lines)")
        #expect(run.value("upload.finished") == 1)
    }

    // At 12.5 kbit/s 375 kB take 252 s, 93.75 kB 63 s, and 23.4 kB 16 s: two pieces are stopped, each after its
    // minute. The process dies during the second and its successor begins with what the first had come down to:
    // else 375 kB were stopped again.
    @Test func `the size of a piece outlives the process`() throws {
        let run = try SystemRuns.run(
            Self.scenario(
                os: "android-14",
                size: "400kB",
                network: #"{ "down": "1Mbps", "up": "12500bps", "rtt": "50ms" }"#,
                faults: #"{ "fault": "process.kill", "at": "110s" }"#,
                limit: .seconds(60)
            )
        )
        #expect(run.result.faults.map(\.fired) == [1])
        #expect(run.broken == [], "\(run.lines)")
        #expect(run.seconds(of: ": ranOutOfTime").count == 2, "\(run.lines)")
        #expect(run.value("upload.finished") == 1)
    }
}
