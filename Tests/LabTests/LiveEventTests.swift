import Foundation
import Lab
import Measurements
import Profiles
import SimulationKernel
import Testing

/// A server's events by profile: what arrives, what is missed, and what heartbeats cost.
@Suite struct LiveEventTests {
    private func result(
        over: String,
        heartbeat: String = "30s",
        every: String = "1h",
        network: String = "\"down\": \"8Mbps\", \"up\": \"8Mbps\", \"rtt\": \"100ms\"",
        length: String = "10min"
    ) throws -> SeedResult {
        try HashingCheck.require(line: "scripts/test")
        var result: SeedResult?
        try TemporaryFolder.with { folder in
            let text = """
                {
                  "onebar": 1, "device": "android-mid", "radio": "textbook",
                  "network": { \(network) },
                  "server": { "stream": { "every": "\(every)", "heartbeat": "\(heartbeat)" } },
                  "app": { "live": { "over": "\(over)" } },
                  "workload": [{ "do": "radio.activity", "at": "0s", "lasts": "1ms" }],
                  "run": { "seeds": 1, "for": "\(length)", "settle": "1s" }
                }
                """
            let file = folder.appendingPathComponent("live.jsonc")
            try Data(text.utf8).write(to: file)
            let scenario = try ScenarioReader.scenario(file.path)
            result = try SeedRunner(scenario: scenario).run(seed: 1).result
        }
        return try #require(result)
    }

    // The textbook radio is up while it sends and 10 s after. A heartbeat every 30 s for 10 min, the first
    // 30 s after the opening: 19 of them, each a packet down and its acknowledgement: 10 s of tail and some
    // ms. With the opening (10.4 s): 200 s of 601. Every 5 s the radio never sleeps: 601 s.
    @Test(arguments: ["sse", "websocket"])
    func `a heartbeat of 30 s keeps the radio up a third of the time`(over: String) throws {
        let sparse = try #require(
            try result(over: over).value(of: MetricName("radio.on_s"))
        )
        #expect(abs(sparse - 200.4) < 2)
        let dense = try #require(
            try result(over: over, heartbeat: "5s").value(of: MetricName("radio.on_s"))
        )
        #expect(abs(dense - 601) < 1)
        let none = try #require(
            try result(over: over, heartbeat: "0s").value(of: MetricName("radio.on_s"))
        )
        #expect(abs(none - 10.4) < 1)
    }

    // A handover at 100 s with a gap of 25 s; events every 10 s. Server-sent events repeat what was
    // published meanwhile (at 100 or 110 and 120 s); a WebSocket misses them.
    @Test(arguments: [("sse", true), ("websocket", false)])
    func `what a handover costs depends on who remembers`(over: String, isWhole: Bool) throws {
        let link = "\"down\": \"8Mbps\", \"up\": \"8Mbps\", \"rtt\": \"100ms\""
        let result = try result(
            over: over,
            every: "10s",
            network: """
                "phases": [
                  { "for": "101s", \(link) },
                  { "handover": { "gap": "25s" }, \(link) }
                ]
                """,
            length: "195s"
        )
        #expect(result.value(of: MetricName("push.events")) == 19)
        let missed = try #require(result.value(of: MetricName("push.missed")))
        #expect(isWhole ? missed == 0 : missed >= 2 && missed <= 3)
        #expect(result.value(of: MetricName("push.reconnections")) == 1)
    }
}
