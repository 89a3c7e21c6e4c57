import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import Testing

/// Seeds as users with different days, and wake-ups that come from what the app sends.
@Suite struct DifferentUsersTests {
    private static func scenario(
        _ every: String,
        riding: Bool = false,
        network: String = ideal
    ) throws -> Scenario {
        let schedule =
            riding
            ? #""with": "push""# : #""every": "\#(every)", "from": "1h..3h", "count": "8..16""#
        let text = """
            { "onebar": 1, "device": "android-mid", "radio": "textbook",
              "network": { "over": "cellular", \(network) },
              "other_apps": [{ "owner": "push", "every": "1h", "lasts": "1s" }],
              "workload": [{ "do": "message.send", \(schedule), "size": "1KiB" }],
              "run": { "seeds": "1..8", "for": "24h", "settle": "1min", "screen": "off" },
              "budgets": { "device.wakeups_per_day": "p50 <= 18" } }
            """
        var read: Scenario?
        try TemporaryFolder.with { folder in
            let file = folder.appendingPathComponent("p.jsonc")
            try Data(text.utf8).write(to: file)
            read = try ScenarioReader.scenario(file.path)
        }
        return try #require(read)
    }

    /// Bodies alone: no connection that would be closed later, which wakes the phone once more.
    private static let ideal =
        #""down": "8Mbps", "up": "2Mbps", "rtt": "0s", "transport": { "kind": "ideal" }"#
    private static let tcp = #""down": "8Mbps", "up": "2Mbps", "rtt": "50ms""#

    private static func wakeups(_ run: ProfileRun) -> [Double] {
        run.seeds.map { $0.value(of: MetricName("device.wakeups")) ?? -1 }
    }

    // 8 to 16 messages at least half an hour apart: each is a wake-up, or none beside a push; the
    // launch at the start is one more at most.
    @Test func `each seed is another user, and each message apart from others wakes the phone`()
        throws
    {
        let run = try LabRuns.run(Self.scenario("30min..50min"), seeds: Array(1...8))
        let counts = Self.wakeups(run)
        #expect(Set(counts).count >= 3, "users differ: \(counts)")
        #expect(counts.allSatisfy { (7...17).contains($0) }, "\(counts)")
        for seed in run.seeds {
            let sent = seed.value(of: MetricName("outbox.enqueued")) ?? 0
            let woke = seed.value(of: MetricName("device.wakeups")) ?? 0
            #expect(woke <= sent + 1 && woke >= sent - 2, "\(sent) messages, \(woke) wake-ups")
        }
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
        let repeated = try LabRuns.run(Self.scenario("30min..50min"), seeds: Array(1...8))
        #expect(Self.wakeups(repeated) == counts)
    }

    @Test func `messages that ride on pushes wake nobody`() throws {
        let run = try LabRuns.run(Self.scenario("", riding: true), seeds: [1])
        #expect((run.seeds.first?.value(of: MetricName("outbox.enqueued")) ?? 0) == 24)
        #expect((Self.wakeups(run).first ?? 0) <= 1)
    }

    // The server closes a connection that is idle for a while: its FIN comes to a sleeping phone.
    @Test func `connections that are closed in the night wake the phone once more`() throws {
        let name = "30min..50min"
        let ideal = Self.wakeups(try LabRuns.run(Self.scenario(name), seeds: [1]))
        let tcp = Self.wakeups(try LabRuns.run(Self.scenario(name, network: Self.tcp), seeds: [1]))
        #expect((tcp.first ?? 0) > (ideal.first ?? 0))
    }
}
