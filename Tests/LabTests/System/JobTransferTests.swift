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
        length: String = "1h"
    ) throws -> Scenario {
        try SystemRuns.scenario(
            os: #"{ "policy": "android-14", "transfers": { "discretion": "10s" } }"#,
            workload: #"{ "do": "photo.upload", "at": "10s", "size": "\#(size)" }"# + workload,
            more: #""app": { "uploader": { "background": true } }"#
                + (faults.isEmpty ? "" : #", "faults": [\#(faults)]"#),
            network: #"{ "down": "1Mbps", "up": "\#(up)", "rtt": "50ms" }"#,
            length: length
        )
    }

    // 9 MB at 100 kbit/s take 720 s. Plugged in nothing dozes and no quota counts, but a worker may run for
    // 10 min: it is stopped, and begins again after the first wait of 30 s.
    @Test func `a transfer on Android is stopped after ten minutes and begins again`() throws {
        let scenario = try Self.scenario(
            #", { "do": "phone.charge", "at": "1s", "for": "12min" }"#,
            size: "9MB",
            up: "100kbps",
            length: "12min"
        )
        let run = try SystemRuns.run(scenario)
        let starts = run.seconds(of: ": started")
        try #require(starts.count >= 2, "\(run.lines)")
        #expect(abs(starts[1] - starts[0] - 630) < 0.001, "\(starts)")
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
        let run = try SystemRuns.run(scenario)
        let starts = run.seconds(of: ": started")
        #expect(starts.dropFirst().prefix(3) == [80, 710, 860], "\(starts)")
    }
}
