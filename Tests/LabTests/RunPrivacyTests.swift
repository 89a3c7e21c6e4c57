import Budgets
import ClientModules
import Foundation
import Lab
import Measurements
import Profiles
import Reporting
import SimulationKernel
import Testing

/// A run of an app that puts a secret wherever requests have room for one, and is told off for it.
@Suite struct RunPrivacyTests {
    static let secret = "hunter2secret"

    struct Leak: Error, CustomStringConvertible {
        var description: String {
            "cannot reach https://api.onebar.test/feed?token=\(secret) (offline)"
        }
    }

    /// Breaks the protocol in every way that gets a request quoted.
    final class LeakingApp: LabApp {
        private let launch: LaunchContext

        init(_ launch: LaunchContext) { self.launch = launch }

        func run() async {
            let body = #"{"id":"a","conversation":"c","text":"\#(secret)"}"#
            let requests: [(String, String, String)] = [
                ("POST", "/messages?token=\(secret)", body), ("POST", "/messages", secret),
                ("GET", "/nowhere?token=\(secret)", ""), ("PUT", "/likes/p1?t=\(secret)", body),
                ("PATCH", "/files/1?token=\(secret)", secret),
                ("POST", "/files?token=\(secret)", secret),
                ("DELETE", "/messages?token=\(secret)", body),
            ]
            for (method, path, body) in requests {
                await send(method, launch.server.url(path), body)
            }
            if let lost = URL(string: "https://user:\(secret)@lost.test/x?token=\(secret)") {
                await send("GET", lost, "")
            }
            launch.log("gave up on https://api.onebar.test/feed?token=\(secret)")
        }

        private func send(_ method: String, _ url: URL, _ body: String) async {
            let request = HTTPRequest(
                method: method,
                url: url,
                headers: [
                    HTTPHeader("Authorization", "Bearer \(secret)"),
                    HTTPHeader("Cookie", "session=\(secret)"),
                ]
            )
            do {
                let response = try await launch.environment.transport.send(
                    request,
                    body: body.isEmpty ? .none : .data(Data(body.utf8)),
                    progress: nil
                )
                launch.log("\(method) answered \(response.status)")
            } catch {
                launch.log("\(method) failed: \(error)")
            }
        }

        func perform(_ action: AppAction) async throws { throw Leak() }
    }

    @Test func `no file, line or capture of a run holds a query, a header value or a body`() throws
    {
        try HashingCheck.require(line: "scripts/test")
        try TemporaryFolder.with { folder in
            let scenario = try LabRuns.testScenario("short")
            let capture = folder.appendingPathComponent("x.pcapng").path
            var options = SeedRunner.Options()
            options.recordsTimeline = true
            options.recordsEffects = true
            options.findsAdvice = true
            options.capture = .init(path: capture)
            let runner = SeedRunner(
                scenario: scenario,
                setup: WorldSetup(app: { LeakingApp($0) })
            )
            let seed = try runner.run(seed: 1, options: options)
            let run = ProfileRun(
                profile: scenario.name,
                mode: LabMode.current.rawValue,
                radios: [],
                seeds: [seed.result],
                rules: []
            )
            var texts = try RunReport.files(of: run).map { ($0.name, $0.text) }
            texts.append(("json", RunJSON.line(of: run)))
            texts.append(("terminal", RunSummaryText(run, isColored: false).text))
            texts.append(("answer", try seed.result.encodedLine()))
            texts.append(("log", seed.result.log.map(\.text).joined(separator: "\n")))
            texts.append(("effects", seed.effects.map { "\($0.record)" }.joined(separator: "\n")))
            let packets = try Data(contentsOf: URL(fileURLWithPath: capture))
            texts.append(("capture", String(decoding: packets, as: UTF8.self)))
            for (name, text) in texts {
                #expect(!text.contains(Self.secret), "\(name) tells the secret")
                #expect(!text.contains("token="), "\(name) tells a query")
                #expect(!text.contains("Bearer"), "\(name) tells a header value")
            }
            // The app did send them, and was found out: else nothing had been proven.
            #expect(
                seed.result.log.contains { $0.text.contains("answered 40") },
                "\(seed.result.log)"
            )
            #expect(seed.result.breaches.contains { $0.guarantee.text == "client.protocol" })
            #expect(
                seed.result.log.contains {
                    $0.text.hasSuffix("gave up on https://api.onebar.test/feed?")
                }
            )
            let sent = seed.result.value(of: MetricName("network.requests")) ?? 0
            #expect(sent >= 7)
        }
    }
}
