/// The files that `onebar init` writes.
enum InitFiles {
    /// Those that every project gets, by path within the folder.
    static let all: [(path: String, text: String)] = [
        ("profiles/mine.jsonc", profile), ("Tests/OnebarTests/OnebarLabTests.swift", test),
    ]

    static let profile = """
        // What our app has to survive.
        //
        // 'onebar check profiles/mine.jsonc' tells what is wrong with this file, 'onebar list' what
        // it can name, 'onebar explain METRIC' what a budget is about.
        {
          "onebar": 1,
          "tags": ["pr"],
          "device": { "model": "android-mid", "os": "android-14" },
          "radio": { "cellular": "lte", "wifi": "wifi" },
          "network": {
            "phases": [
              { "name": "street", "for": "5min", "over": "cellular",
                "down": "8Mbps", "up": "2Mbps", "rtt": "80ms", "jitter": "20ms", "loss": "0.5%" },
              { "name": "one bar", "for": "5min", "over": "cellular",
                "down": "400kbps", "up": "120kbps", "rtt": "250ms", "jitter": "80ms", "loss": "2%",
                "dead_zones": [{ "at": "60s", "for": "30s" }] },
              { "name": "home", "over": "wifi", "handover": { "gap": "1s", "address": "new" },
                "down": "40Mbps", "up": "10Mbps", "rtt": "25ms" }
            ]
          },
          "app": { "outbox": { "parallel": 2 } },
          "workload": [
            { "do": "message.send", "every": "20s..40s", "count": 20, "size": "200B..2KiB" },
            { "do": "photo.upload", "at": "4min", "size": "2MB" }
          ],
          "faults": [
            { "fault": "response.lost", "to": "POST /messages", "nth": 4 },
            { "fault": "process.kill", "during": "outbox.commit", "nth": 6, "relaunch": "5s" }
          ],
          "run": { "seeds": "1..20", "settle": "10min" },
          // Set these from your own figures: run once, take p95 and add ten percent.
          "budgets": {
            "radio.energy_j": "p95 <= 900J",
            "network.up_bytes": "max <= 5MB",
            "outbox.oldest_age_s": "max <= 3min"
          }
        }

        """

    static let test = ##"""
        import Foundation
        \##("import") Onebar
        import Testing

        #if canImport(FoundationNetworking)
        import FoundationNetworking
        #endif

        /// The module under test. Put yours in its place: `@testable import` it and delete this one.
        actor Sender {
            private let http: SimulatedHTTP
            private var queue: [(id: String, key: String)] = []
            private var isSending = false

            init(http: SimulatedHTTP) { self.http = http }

            /// Promises to send a message; its idempotency key is made here, once.
            func send(_ id: String) {
                queue.append((id, UUID().uuidString))
                Task { await drain() }
            }

            private func drain() async {
                guard !isSending else { return }
                isSending = true
                defer { isSending = false }
                var pause = Duration.seconds(1)
                while let message = queue.first {
                    if await post(message.id, key: message.key) {
                        queue.removeFirst()
                        pause = .seconds(1)
                    } else {
                        try? await Task.sleep(for: pause)
                        pause = min(pause * 2, .seconds(30))
                    }
                }
            }

            private func post(_ id: String, key: String) async -> Bool {
                guard let url = URL(string: "https://api.example.com/messages") else { return false }
                var request = URLRequest(url: url)
                request.httpMethod = "POST"
                request.timeoutInterval = 20
                request.setValue("\"\(key)\"", forHTTPHeaderField: "Idempotency-Key")
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                request.httpBody = Data(#"{"id":"\#(id)"}"#.utf8)
                let answer = try? await http.data(for: request, delegate: nil)
                let status = (answer?.1 as? HTTPURLResponse)?.statusCode ?? 0
                return (200..<300).contains(status)
            }
        }

        /// What your module does at one bar of signal.
        @Suite(.serialized) struct OnebarLabTests {
            @Test func `a message arrives exactly once when answers are lost on a commute`() async throws {
                let lab = Lab(conditions: "commute-no-faults", seeds: 1...4, faults: [.loseEachResponse])
                try await lab.run { world in
                    world.server.accept("POST /messages", identity: .json("id"))
                    let phone = world.install { launch in Sender(http: launch.http) }
                    phone.tap(every: .seconds(30), count: 8) { sender, n in await sender.send("m\(n)") }
                    world.require(.exactlyOnce, within: .seconds(300))
                    world.budget("radio.energy_j", "p95 <= 400J")
                }
            }
        }

        """##
}
