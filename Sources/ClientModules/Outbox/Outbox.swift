import Foundation
import Quantities
import SQLiteStore

/// A durable queue of what a user did, that reaches the server exactly once.
///
/// shape only; filled in by the next commit.
public actor Outbox: OutboxDriving {
    let environment: ClientEnvironment
    let configuration: OutboxConfiguration
    let observer: (@Sendable (OutboxEvent) -> Void)?

    /// Opens the outbox's database; sends nothing until `run()`.
    public init(
        environment: ClientEnvironment,
        configuration: OutboxConfiguration,
        observer: (@Sendable (OutboxEvent) -> Void)? = nil
    ) throws {
        self.environment = environment
        self.configuration = configuration
        self.observer = observer
    }

    /// Promises to send an intent.
    public func enqueue(
        _ intent: OutboxIntent,
        writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws {
    }

    /// Sends until the task is cancelled.
    public func run() async {}
}
