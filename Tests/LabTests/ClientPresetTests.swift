import ClientModules
import Foundation
import Profiles
import Quantities
import Testing

@testable import Lab

/// The clients of `profiles/clients`, and what an app that is set as one of them does.
@Suite struct ClientPresetTests {
    struct Known: Sendable, CustomTestStringConvertible {
        var client: String
        /// Seconds before the first retries, from the source that the file names.
        var waits: [Double]
        var attempts: Int?
        var hasJitter = false
        var testDescription: String { client }
    }

    /// research/clients.md, sections A2, 2 and C2.
    static let all: [Known] = [
        Known(client: "workmanager-2", waits: [30, 60, 120, 240], attempts: nil),
        Known(client: "okhttp", waits: [0], attempts: 2),
        Known(client: "alamofire-5", waits: [0.5, 1], attempts: 3),
        Known(client: "aws-standard", waits: [1, 2], attempts: 3, hasJitter: true),
        Known(client: "tus-js", waits: [0, 1, 3, 5], attempts: 5),
        Known(client: "tuskit-3", waits: [0, 0], attempts: 3),
    ]

    @Test(arguments: all)
    func `a client's waits are those of its source`(known: Known) throws {
        let change = try #require(ProfileOverride(key: "app.retry", value: known.client))
        let app = try ScenarioReader.scenario("commute", overrides: [change]).scenario.app
        let policy = app.retry.policy
        let waits = known.waits.indices.map { policy.ceiling(beforeRetry: $0 + 1) }
        #expect(waits == known.waits.map { .milliseconds(Int64($0 * 1_000)) })
        #expect(policy.maximumAttempts == known.attempts)
        #expect((policy.jitter != .none) == known.hasJitter)
        #expect(app.retry.tokenBudget == nil)
    }

    @Test func `uploads go as tus-js and TUSKit do it, beside the app's own retries`() throws {
        func uploads(_ value: String) throws -> UploadConfiguration {
            let change = try #require(ProfileOverride(key: "app.uploads", value: value))
            let app = try ScenarioReader.scenario("commute", overrides: [change]).scenario.app
            #expect(app.retry.delays.isEmpty)
            return app.uploadConfiguration(for: .standard)
        }
        let tuskit = try uploads("tuskit-3")
        #expect(tuskit.chunk == QuantityRange(ByteCount(512_000)))
        #expect(tuskit.retry.delays == [.zero, .zero])
        let js = try uploads("tus-js")
        #expect(js.chunk.lower >= .mebibytes(1_024))
        #expect(js.retry.maximumAttempts == 5)
        let own = try uploads(#"{"client":"tuskit-3","chunk":"1MiB"}"#)
        #expect(own.chunk == QuantityRange(.mebibytes(1)))
    }

    @Test func `a client without uploads is no way to upload`() throws {
        let change = try #require(ProfileOverride(key: "app.uploads", value: "okhttp"))
        let error = #expect(throws: ProfileError.self) {
            try ScenarioReader.scenario("commute", overrides: [change])
        }
        let text = try #require(error?.problems.first?.description)
        #expect(text.contains("the client \"okhttp\" says nothing of uploads"))
    }
}
