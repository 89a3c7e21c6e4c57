import ClientModules
import Foundation
import Profiles
import Quantities

/// Sends requests that a person waits for, under the retry policy of the app.
///
/// What an app does without an outbox: ask, wait, and tell the person when it took too long.
final class PlainCaller: Sendable {
    private let retrier: Retrier

    init(launch: LaunchContext, pause: SharedServerPause) {
        retrier = Retrier(
            environment: launch.environment,
            policy: launch.configuration.retry.policy,
            budget: launch.configuration.retry.tokenBudget.map { SharedRetryBudget($0) },
            pause: pause
        )
    }

    /// Sends one after another; throws what the first failure is, after its retries.
    func perform(_ call: PlainCall) async throws {
        for (request, body) in call.requests {
            let response = try await retrier.send(request, body: body)
            _ = try await response.body(upTo: .max)
            guard response.status < 400 else { throw PlainCallRefusal(status: response.status) }
        }
    }
}

/// The server's answer to a plain call was an error.
struct PlainCallRefusal: Error, CustomStringConvertible {
    let status: Int

    var description: String { "status \(status)" }
}
