import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import Quantities
import Testing

/// What the app adds to what the phone would have drawn without it.
@Suite struct MarginalCostTests {
    private static func scenario(
        workload: String,
        others: String,
        radio: String = "textbook"
    ) throws -> Scenario {
        let text = """
            { "onebar": 1, "device": "android-mid", "radio": "\(radio)",
              "network": { "over": "cellular", "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" },
              "other_apps": [\(others)],
              "workload": [\(workload)],
              "run": { "seeds": 1, "for": "20min", "settle": "1min", "screen": "off" } }
            """
        var read: Scenario?
        try TemporaryFolder.with { folder in
            let file = folder.appendingPathComponent("p.jsonc")
            try Data(text.utf8).write(to: file)
            read = try ScenarioReader.scenario(file.path)
        }
        return try #require(read)
    }

    private static func figures(_ scenario: Scenario) throws -> (SeedResult, [String: Double]) {
        let seed = try #require(try LabRuns.run(scenario).seeds.first)
        let names = ["radio.energy_j", "radio.marginal_energy_j", "device.wakeups"]
        let values = names.map { ($0, seed.value(of: MetricName($0)) ?? 0) }
        return (seed, Dictionary(uniqueKeysWithValues: values))
    }

    private static let rider = #"{ "do": "radio.activity", "lasts": "1.2s", "owner": "rider", "#

    // F4: starting x s into the tail of 10 s at 500 mW it pays (x + 1.2) x 0.5 J.
    @Test(arguments: [0, 2, 7] as [Double])
    func `a rider pays its activity and the tail that had already run`(x: Double) throws {
        let (seed, figures) = try Self.figures(
            Self.scenario(
                workload: Self.rider + "\"at\": \"\(3 + Int(x))s\" }",
                others: #"{ "owner": "feed", "at": "0s", "lasts": "3s" }"#
            )
        )
        let owed = (x + 1.2) * 0.5
        #expect(abs((figures["radio.marginal_energy_j"] ?? 0) - owed) < 1e-9)
        let paid = seed.energy.first { $0.owner == "rider" }?.totalNanojoules
        #expect(paid == Int64((owed * 1e9).rounded()))
        // The feed pays what it would pay alone: 13 s x 0.5 W.
        #expect(seed.energy.first { $0.owner == "feed" }?.totalNanojoules == 6_500_000_000)
    }

    // Alone, each fetch of 0.3 s is a wake-up of 10.3 s x 0.5 W = 5.15 J; 4 of them 20.6 J.
    @Test func `without anyone to ride on, marginal is all that the app draws`() throws {
        let (_, figures) = try Self.figures(
            Self.scenario(
                workload: #"{ "do": "radio.activity", "every": "5min", "count": 4, "#
                    + #""lasts": "0.3s", "cause": "timer" }"#,
                others: ""
            )
        )
        #expect(abs((figures["radio.marginal_energy_j"] ?? 0) - 20.6) < 1e-9)
        #expect(figures["device.wakeups"] == 4)
    }

    @Test func `who rides on a push wakes nobody, and pushes at drawn instants are ridden`() throws
    {
        let (seed, figures) = try Self.figures(
            Self.scenario(
                workload: #"{ "do": "radio.activity", "with": "push", "lasts": "0.3s", "#
                    + #""cause": "push", "owner": "fetch" }"#,
                others: #"{ "owner": "push", "every": "15s..2min", "lasts": "200ms..1s" }"#
            )
        )
        #expect(figures["device.wakeups"] == 0, "the metric is absent, or counts nothing")
        let fetch = Double(seed.energy.first { $0.owner == "fetch" }?.totalNanojoules ?? 0) / 1e9
        // 10 to 80 pushes in 20 min; each fetch adds 0.15 J as it begins where the push ends.
        #expect(fetch >= 10 * 0.15 && fetch <= 80 * 0.15)
        #expect(abs((figures["radio.marginal_energy_j"] ?? 0) - fetch) < 1e-9)
    }

    /// On LTE with idle draw, alone: what the app adds is beyond idle, less the idle it displaces.
    @Test func `idle draw is there without the app too`() throws {
        let (seed, figures) = try Self.figures(
            Self.scenario(
                workload: #"{ "do": "message.send", "every": "2min", "count": 5, "size": "1KiB" }"#,
                others: "",
                radio: "lte-2012-aro"
            )
        )
        let on = figures["radio.energy_j"] ?? 0
        let marginal = figures["radio.marginal_energy_j"] ?? 0
        let seconds = seed.value(of: MetricName("radio.on_s")) ?? 0
        // Idle paging draws 0.594 W for 43 ms each 1.28 s: 19.96 mW, which on-time displaces.
        #expect(abs(on - marginal - seconds * 0.01996) < 0.1)
    }

    @Test func `other apps use 3G too`() throws {
        let (seed, _) = try Self.figures(
            Self.scenario(
                workload: Self.rider + "\"at\": \"10min\" }",
                others: #"{ "owner": "feed", "at": "60s", "lasts": "3s" }"#,
                radio: "umts-2010-aro-i997"
            )
        )
        // Packets every 100 ms from 60 to 63 s. The first one begins a promotion, which lasts at
        // least 1.5 s: it is over with the packet at 61.6 s (1.6 x 0.65 W = 1.04 J). DCH to 63 s and
        // a tail of 4 s: 5.4 x 1.3 W = 7.02 J. FACH for 10 s at 0.3 W: 3 J. Together 11.06 J.
        let feed = Double(seed.energy.first { $0.owner == "feed" }?.totalNanojoules ?? 0) / 1e9
        #expect(abs(feed - 11.06) < 1e-6)
    }
}
