import CaptureAnalysis
import Foundation
import Lab
import Measurements
import PacketCapture
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Testing

/// Forward equals backward: what a run says it drew, and what the analysis makes of its packets.
@Suite struct CaptureTests {
    static let radios = [
        "textbook", "lte-2012-aro", "umts-2010-aro-i997", "umts-2010-aro-captivate",
        "umts-2010-aro-inspire", "umts-2010-aro-aria", "umts-2010-aro-thrill", "wifi-2012-aro",
        "umts-2014-energybox", "wifi-2014-energybox", "lte-2021-verizon", "lte-2021-tmobile",
        "nsa-2021-lowband", "nsa-2021-mmwave", "sa-2021-lowband",
    ]

    /// Messages at gaps that meet every timer, one upload, a lossy path.
    static func scenario(_ radio: String, in folder: URL) throws -> Scenario {
        let isWifi = radio.hasPrefix("wifi")
        let text = """
            {
              "onebar": 1,
              // Nothing but the radio draws: a capture knows of nothing else.
              "device": {
                "model": "android-mid", "screen_power": "0mW", "base_power": "0mW", "disk": "ideal",
                "processor": {
                  "active_power": "0mW", "decode_per_megapixel": "23ms",
                  "parse_per_kibibyte": "20us", "launch": "450ms"
                }
              },
              "radio": { "cellular": "\(isWifi ? "textbook" : radio)",
                         "wifi": "\(isWifi ? radio : "wifi-2012-aro")" },
              "network": { "over": "\(isWifi ? "wifi" : "cellular")",
                           "down": "4Mbps", "up": "1Mbps", "rtt": "70ms", "jitter": "10ms",
                           "loss": "1%" },
              "server": { "think": "40ms..120ms" },
              "workload": [
                { "do": "message.send", "every": "300ms..25s", "count": 25, "size": "200B..2KiB" },
                { "do": "file.upload", "at": "40s", "size": "300kB" }
              ],
              "run": { "seeds": 1, "for": "6min", "settle": "1min" }
            }
            """
        let file = folder.appendingPathComponent("forward-\(radio).jsonc")
        try Data(text.utf8).write(to: file)
        return try ScenarioReader.scenario(file.path)
    }

    /// The scenario with a phone of which nothing but the radio draws: a capture knows of nothing else.
    private static func radioAlone(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        scenario.conditions.device.model.screenPower = .zero
        scenario.conditions.device.model.basePower = .zero
        scenario.conditions.device.model.processor.activePower = .zero
        scenario.conditions.device.disk.energy = .none
        return scenario
    }

    private static func compare(_ whole: Scenario, seed: UInt64, in folder: URL) throws {
        try HashingCheck.require(line: "scripts/test")
        let scenario = radioAlone(whole)
        let path = folder.appendingPathComponent("\(scenario.name)-\(seed).pcapng").path
        var options = SeedRunner.Options()
        options.capture = .init(path: path, comment: "test")
        let result = try SeedRunner(scenario: scenario).run(seed: seed, options: options).result
        let library = ProfileLibrary.standard()
        let analyzer = CaptureAnalyzer(radio: scenario.conditions.radios.cellular) { name in
            try? RadioFile.model(name, in: library)
        }
        let report = try analyzer.analyze(path: path, options: CaptureOptions())
        let pairs = [
            ("radio.energy_j", report.onJoules), ("energy.total_j", report.joules),
            ("radio.tail_energy_j", report.tailJoules),
            ("radio.on_s", report.onSeconds),
        ]
        for (metric, backward) in pairs {
            let forward = try #require(result.value(of: MetricName(metric)))
            #expect(
                abs(backward / forward - 1) < 0.005,
                "\(scenario.name), seed \(seed): \(metric) \(forward), analysed \(backward)"
            )
        }
        let promotions = try #require(result.value(of: MetricName("radio.promotions")))
        #expect(Double(report.promotions) == promotions)
        let up = try #require(result.value(of: MetricName("network.up_bytes")))
        #expect(Double(report.upBytes) == up)
    }

    @Test(arguments: radios, Sweep.seeds(quick: 1, wide: 2))
    func `a run's packets cost what the run drew`(radio: String, seed: UInt64) throws {
        try TemporaryFolder.with { folder in
            try Self.compare(try Self.scenario(radio, in: folder), seed: seed, in: folder)
        }
    }

    /// With its path and its faults; its files are smaller unless the sweep is wide, or they are 46 MB of packets.
    @Test func `the commute's packets cost what the commute drew`() throws {
        let light = """
            workload=[{"do":"message.send","every":"30s..45s","count":40,"size":"200B..2KiB"},
            {"do":"photo.upload","at":["1min","2min","3min"],"size":"1.5MB"}]
            """
        let changes = Sweep.isWide ? [] : [light].compactMap { ProfileOverride($0) }
        let scenario = try ScenarioReader.scenario("commute", overrides: changes)
        try TemporaryFolder.with { folder in
            try Self.compare(scenario, seed: 1, in: folder)
        }
    }

    @Test func `writing a capture changes nothing in the run`() throws {
        try HashingCheck.require(line: "scripts/test")
        try TemporaryFolder.with { folder in
            let runner = SeedRunner(scenario: try LabRuns.testScenario("short"))
            let plain = try runner.run(seed: 4).fingerprint
            var options = SeedRunner.Options()
            options.capture = .init(path: folder.appendingPathComponent("x.pcapng").path)
            #expect(try runner.run(seed: 4, options: options).fingerprint == plain)
        }
    }

    @Test func `a capture that cannot be made stops the run with its place`() throws {
        try HashingCheck.require(line: "scripts/test")
        let runner = SeedRunner(scenario: try LabRuns.testScenario("short"))
        var options = SeedRunner.Options()
        options.capture = .init(path: "/nowhere/at/all.pcapng")
        let error = #expect(throws: CaptureError.self) {
            _ = try runner.run(seed: 4, options: options)
        }
        #expect(error?.kind == .unwritable)
        #expect(error?.path == "/nowhere/at/all.pcapng")
    }
}

/// A folder that is gone after a test.
enum TemporaryFolder {
    static func with(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("onebar-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }
}
