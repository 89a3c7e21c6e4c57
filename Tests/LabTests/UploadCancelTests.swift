import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import SimulationKernel
import Testing

/// Uploads that a person takes back, or asks for once more.
@Suite struct UploadCancelTests {
    /// An upload of 12 s at 400 kbit/s, begun at 1 s, and what else is done.
    static func scenario(_ actions: String, faults: String = "") throws -> Scenario {
        let text = """
            {
              "onebar": 1,
              "device": { "model": "android-mid", "disk": "f2fs-ufs" },
              "radio": "textbook",
              "network": { "over": "cellular", "down": "4Mbps", "up": "400kbps", "rtt": "70ms" },
              "app": {
                "uploader": { "chunk": "16KiB..64KiB", "chunk_time": "100ms..200ms" },
                "retry": { "base": "1s", "ceiling": "8s", "jitter": "full", "budget": "10%" }
              },
              "workload": [{ "do": "file.upload", "at": "1s", "size": "600kB" }, \(actions)],
              "faults": [\(faults)],
              "run": { "seeds": 1, "for": "30s", "settle": "1min" }
            }
            """
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("onebar-cancel-\(UUID().uuidString).jsonc")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        return try ScenarioReader.scenario(file.path)
    }

    static func run(
        _ scenario: Scenario,
        _ app: @escaping AppFactory = MessengerApp.factory
    ) throws -> SeedRun {
        try HashingCheck.require(line: "scripts/test")
        var options = SeedRunner.Options()
        options.tellsStory = true
        return try SeedRunner(scenario: scenario, setup: WorldSetup(app: app))
            .run(seed: 1, options: options)
    }

    static func lines(_ run: SeedRun, _ text: String) -> Int {
        run.story.count { $0.text.contains(text) }
    }

    // While it is created, between chunks, in a chunk, and long after.
    @Test(arguments: [1_000, 1_050, 1_150, 1_300, 2_000, 5_500])
    func `the shipped uploader sends nothing more of what was taken back`(at: Int) throws {
        let run = try Self.run(
            Self.scenario(#"{ "do": "upload.cancel", "at": "\#(at)ms", "of": "file-1" }"#)
        )
        #expect(run.result.breaches.map(\.message) == [])
        #expect(Self.lines(run, "is cancelled") == 1, "\(run.story.map(\.text))")
        #expect(Self.lines(run, "is complete") == 0)
        #expect(run.result.value(of: MetricName("upload.failed")) == 0)
        #expect(run.result.value(of: MetricName("upload.finished")) == 0)
    }

    @Test func `what has ended stays as it was told`() throws {
        let run = try Self.run(
            Self.scenario(#"{ "do": "upload.cancel", "at": "25s", "of": "file-1" }"#)
        )
        #expect(run.result.breaches.map(\.message) == [])
        #expect(Self.lines(run, "is cancelled") == 0)
        #expect(run.result.value(of: MetricName("upload.finished")) == 1)
    }

    // The DELETE is under way when the app dies; the person sees the upload again and takes it back again.
    @Test func `a person whose app died while they took it back does so again`() throws {
        let run = try Self.run(
            Self.scenario(
                #"{ "do": "upload.cancel", "at": "5s", "of": "file-1" }"#,
                faults: #"{ "fault": "process.kill", "at": "5010ms", "relaunch": "2s" }"#
            )
        )
        #expect(run.result.breaches.map(\.message) == [])
        #expect(Self.lines(run, "is cancelled") == 1)
        #expect(Self.lines(run, "is complete") == 0)
    }

    @Test func `an upload that is asked for while it is under way ends once`() throws {
        let run = try Self.run(
            Self.scenario(#"{ "do": "upload.retry", "at": "5s", "of": "file-1" }"#)
        )
        #expect(run.result.breaches.map(\.message) == [])
        #expect(run.result.value(of: MetricName("upload.finished")) == 2)
        #expect(Self.lines(run, "created, ") == 1)
    }

    @Test func `one that was refused is begun anew when the person asks`() throws {
        let scenario = try Self.scenario(
            #"{ "do": "upload.retry", "at": "5s", "of": "file-1" }"#,
            faults:
                #"{ "fault": "server.error", "to": "POST /files", "nth": 1, "status": 403 }"#
        )
        for app in [MessengerApp.factory, LabRuns.twins([])] {
            let run = try Self.run(scenario, app)
            #expect(run.result.breaches.map(\.message) == [])
            #expect(run.result.value(of: MetricName("upload.failed")) == 1)
            #expect(run.result.value(of: MetricName("upload.finished")) == 1)
        }
    }
}
