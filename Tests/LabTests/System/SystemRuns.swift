import ClientModules
import Foundation
import Lab
import Measurements
import Profiles
import Quantities
import SimulationKernel

/// Runs a phone in a pocket, under an operating system's policy.
enum SystemRuns {
    /// A phone whose app is opened at zero for 30 s, and again at these seconds for a minute each.
    static func scenario(
        os: String,
        workload: String,
        more: String = "",
        network: String = #"{ "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" }"#,
        length: String = "1h"
    ) throws -> Scenario {
        let text = """
            {
              "onebar": 1, "device": "\(os.contains("ios") ? "iphone-xr" : "android-mid")",
              "radio": { "cellular": "lte-2012-aro", "wifi": "wifi-2012-aro" },
              "network": \(network),
              "os": \(os),
              "workload": [\(workload)],
              "run": { "seeds": 1, "for": "\(length)", "settle": "5min", "screen": "off" }
              \(more.isEmpty ? "" : ", " + more)
            }
            """
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("onebar-system-\(UUID().uuidString).jsonc")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        return try ScenarioReader.scenario(file.path)
    }

    /// One seed, with its story.
    static func run(
        _ scenario: Scenario,
        seed: UInt64 = 1,
        app: @escaping AppFactory = MessengerApp.factory
    ) throws -> SeedRun {
        try HashingCheck.require(line: "scripts/test")
        var options = SeedRunner.Options()
        options.tellsStory = true
        return try SeedRunner(scenario: scenario, setup: WorldSetup(app: app))
            .run(seed: seed, options: options)
    }
}

extension SeedRun {
    /// A metric of this seed; zero if the run did not touch it.
    func value(_ metric: String) -> Double { result.value(of: MetricName(metric)) ?? 0 }

    /// Seconds at which lines of the story have this in them.
    func seconds(of text: String) -> [Double] {
        story.filter { $0.text.contains(text) }.map { Double($0.instant.nanoseconds) / 1e9 }
    }

    /// The story, line by line.
    var lines: String {
        story.map { "\($0.instant) \($0.text)" }.joined(separator: "\n")
    }

    /// Guarantees that were broken.
    var broken: Set<String> { Set(result.breaches.map(\.guarantee.text)) }
}

/// An app that does nothing but what a test has it do.
final class ScriptedApp: LabApp {
    private let body: @Sendable () async -> Void

    init(_ body: @escaping @Sendable () async -> Void) { self.body = body }

    func run() async { await body() }

    func perform(_ action: AppAction) async throws {}

    /// Logs a line a second, on a timer.
    static let ticking: AppFactory = { launch in
        ScriptedApp {
            let clock = launch.environment.clock
            var count = 0
            while !Task.isCancelled {
                try? await clock.sleep(for: .seconds(1))
                count += 1
                launch.log("tick \(count)")
            }
        }
    }
}
