import Foundation
import Onebar
import Testing
@testable import Chat

/// What a test says of a module with a bug in it, and how the failure is seen again.
@Suite(.serialized) struct FailureTests {
    /// The test that fails runs only in a process that asks for it.
    static let isAskedFor = ProcessInfo.processInfo.environment["CHAT_SHOWS_A_FAILURE"] != nil

    static func lab(faults: [LabFault]) -> Lab {
        Lab(conditions: "commute-no-faults", seeds: 1...2, faults: faults)
    }

    @discardableResult
    static func sends(
        _ world: TestWorld,
        through wrap: @escaping @Sendable (any HTTPClient) -> any HTTPClient
    ) -> TestPhone<Outbox> {
        world.server.accept("POST /messages", identity: .json("id"))
        let phone = world.install { launch in
            try Outbox(
                http: wrap(launch.http),
                database: launch.file("chat.sqlite"),
                log: { launch.log($0) }
            )
        }
        phone.tap(every: .seconds(30), count: 4) { outbox, n in
            try await outbox.send(id: "m\(n)", text: "Hello \(n)")
        }
        world.require(.exactlyOnce, within: .seconds(300))
        return phone
    }

    @Test(.enabled(if: isAskedFor)) func `a key for each attempt`() async throws {
        try await Self.lab(faults: [.loseEachResponse]).run { world in
            Self.sends(world) { NewKeyForEachAttempt(base: $0) }
        }
    }

    @Test(.disabled(if: isAskedFor))
    func `a failure tells its story, its plan and the line that replays it`() throws {
        let reports = FileManager.default.temporaryDirectory
            .appendingPathComponent("chat-\(ProcessInfo.processInfo.processIdentifier)").path
        defer { try? FileManager.default.removeItem(atPath: reports) }
        let surroundings = ["CHAT_SHOWS_A_FAILURE": "1", "ONEBAR_REPORTS": reports]
        guard let first = try OwnProcess.test("FailureTests", surroundings) else { return }

        #expect(first.status != 0)
        let text = first.text
        #expect(text.contains("outbox.exactly_once broke in seed 1"))
        #expect(text.contains("provoked by the loss of the response to request"))
        #expect(text.contains("took effect twice at the server"))
        #expect(text.contains("the idempotency keys differed"))
        // The app's own line stands on the same timeline.
        #expect(text.contains("log     launch 1: could not send m1"))
        let plan = "\(reports)/tests/a-key-for-each-attempt/outbox.exactly_once.plan.json"
        #expect(text.contains("plan:   \(plan)"))
        #expect(
            text.contains(
                "replay: ONEBAR_REPLAY='\(plan)' SWIFT_DETERMINISTIC_HASHING=1 "
                    + "swift test --filter FailureTests.swift"
            )
        )
        let saved = try String(contentsOfFile: plan, encoding: .utf8)
        #expect(saved.contains(#""fault": "response.lost""#))

        // The line that was printed, as this process can start it.
        let again = try OwnProcess.test(
            "FailureTests.swift",
            surroundings.merging(["ONEBAR_REPLAY": plan]) { $1 }
        )
        #expect(again?.status != 0)
        #expect(again?.text.contains("same failure: \(plan)") == true)
        #expect(again?.text.contains("everything that happened:") == true)
    }

    @Test(.disabled(if: isAskedFor))
    func `nothing is unsent a minute after the network is back`() async throws {
        try await Self.lab(faults: [.loseEachResponse]).run { world in
            let phone = Self.sends(world) { $0 }
            phone.eventually("nothing is unsent", within: .seconds(60)) { try await $0.unsent == 0 }
        }
    }

    @Test(.disabled(if: isAskedFor))
    func `the plan of a bug that was mended is a test that passes`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Self.lab(faults: [.loseEachResponse]).run { world in
                Self.sends(world) { NewKeyForEachAttempt(base: $0) }
            }
        }
        let plan = try #require(failure?.plan)
        let report = try await Self.lab(faults: [.plan(plan)]).run { world in
            Self.sends(world) { $0 }
        }
        #expect(report.faults == 1)
        await #expect(throws: LabFailure.self) {
            try await Self.lab(faults: [.plan(plan)]).run { world in
                Self.sends(world) { NewKeyForEachAttempt(base: $0) }
            }
        }
    }
}
