import ClientModules
import Lab
import SQLiteStore

/// An outbox that sends as it should, and says that it needs time as long as there is any.
final class RestlessOutbox: OutboxDriving {
    private let outbox: Outbox

    init(_ launch: LaunchContext) throws {
        outbox = try Outbox(
            environment: launch.environment,
            configuration: launch.configuration.outboxConfiguration(for: launch.server),
            observer: launch.outboxObserver
        )
    }

    func enqueue(
        _ intent: OutboxIntent,
        writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws {
        try await outbox.enqueue(intent, writingLocally: writingLocally)
    }

    func run() async { await outbox.run() }

    func needsTime() async -> Bool { true }
}
