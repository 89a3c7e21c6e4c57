import Foundation
import Onebar
import Testing

/// Searching faults from a test.
@Suite(.serialized) struct LabHuntTests {
    static let lab = Lab(conditions: "commute-no-faults", seeds: 1...3)

    @Test func `a hunt finds the fault that breaks a promise, and saves it`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.lab.hunt(for: .seconds(60)) { world in
                ActionHistoryTests.letters(world, .keyMadeAtSend)
            }
        }
        #expect(failure?.guarantee == "outbox.exactly_once")
        let text = failure?.description ?? ""
        #expect(text.contains("provoked by the loss of the response to request"))
        #expect(text.contains("replay: ONEBAR_REPLAY="))
        let plan = try #require(failure?.plan)
        let saved = try String(contentsOfFile: plan, encoding: .utf8)
        // Shrunk: a single fault is left of it.
        #expect(saved.components(separatedBy: #""fault":"#).count == 2)
        #expect(saved.contains("a hunt finds the fault that breaks a promise, and saves it"))
    }

    @Test func `a hunt on a right module comes back with what it tried`() async throws {
        let report = try await Self.lab.hunt(for: .seconds(2)) { world in
            let phone = world.install { _ in OwnGuaranteeTests.Counter() }
            phone.tap(every: .seconds(5), count: 2) { counter, n in
                await counter.add(n, inTurn: nil)
            }
        }
        #expect(report.runs > 1)
        #expect(report.faults > 0)
    }

    @Test func `a hunt finds what a module does with a server that is busy`() async throws {
        // The chat's outbox is right but for this: it does not wait as long as a 503 asks for.
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.lab.hunt(for: .seconds(60)) { world in
                world.server.accept("POST /messages", identity: .json("id"))
                let phone = world.install { launch in
                    try ChatOutbox(http: launch.http, database: launch.file("chat.sqlite"))
                }
                phone.tap(every: .seconds(5), count: 1) { outbox, n in
                    try await outbox.send(id: "m\(n)", text: "Hello")
                }
            }
        }
        #expect(failure?.guarantee == "client.protocol")
        #expect(failure?.description.contains("Retry-After") == true)
    }

    @Test func `a hunt runs a module in a second process where its app has one`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.lab.hunt(for: .seconds(60)) { world in
                world.hasSecondProcess = true
                world.server.accept("POST /messages", identity: .json("id"))
                let phone = world.install { launch in
                    try ChatOutbox(http: launch.http, database: launch.file("chat.sqlite"))
                }
                phone.tap(every: .seconds(5), count: 1) { outbox, n in
                    try await outbox.send(id: "m\(n)", text: "Hello")
                }
            }
        }
        #expect(failure?.description.contains("while the client still waits") == true)
        let saved = try String(contentsOfFile: try #require(failure?.plan), encoding: .utf8)
        #expect(saved.contains("process.second"))
    }

    @Test func `a guarantee that a hunt never evaluates fails it`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.lab.hunt(for: .milliseconds(200)) { world in
                let phone = world.install { _ in OwnGuaranteeTests.Counter() }
                phone.tap(every: .seconds(1), count: 1) { _, _ in }
                _ = world.sometimes("the counter is read")
            }
        }
        #expect(failure?.guarantee == "the counter is read")
    }
}
