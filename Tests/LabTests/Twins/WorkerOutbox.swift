import ClientModules
import Lab
import SQLiteStore
import Synchronization

/// The shipped outbox with a worker of its own: asked for as the app goes out of sight with something to send.
///
/// Right where the worker waits for a network before it is started; a mistake where it waits within,
/// and says that it has work for as long as anything waits.
final class WorkerOutbox: OutboxDriving {
    private let outbox: Outbox
    private let environment: ClientEnvironment
    private let waitsWithin: Bool
    private let open: OpenIntents

    init(_ launch: LaunchContext, waitsWithin: Bool) throws {
        let open = OpenIntents()
        self.open = open
        outbox = try Outbox(
            environment: launch.environment,
            configuration: launch.configuration.outboxConfiguration(for: launch.server),
            observer: { event in
                open.take(event)
                launch.outboxObserver(event)
            }
        )
        environment = launch.environment
        self.waitsWithin = waitsWithin
    }

    func enqueue(
        _ intent: OutboxIntent,
        writingLocally: (@Sendable (SQLiteConnection) throws -> Void)?
    ) async throws {
        try await outbox.enqueue(intent, writingLocally: writingLocally)
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.outbox.run() }
            group.addTask { await self.askOnLeaving() }
        }
    }

    func needsTime() async -> Bool {
        if waitsWithin { return open.isAny }
        return await outbox.needsTime()
    }

    func givenUp() async throws -> [OutboxDeadLetter] { try await outbox.givenUp() }

    /// The app's keeper uses the window: it asks every half second whether all is sent.
    private func askOnLeaving() async {
        for await phase in environment.signals.phases() where phase == .background {
            guard open.isAny else { continue }
            try? environment.background?.request(
                BackgroundRequest(identifier: "worker", needsNetwork: !waitsWithin)
            )
        }
    }
}

/// Intents that this launch heard of and that have not ended.
private final class OpenIntents: Sendable {
    private let identities = Mutex<Set<String>>([])

    var isAny: Bool { identities.withLock { !$0.isEmpty } }

    func take(_ event: OutboxEvent) {
        identities.withLock { identities in
            switch event {
            case .enqueued(let identity): identities.insert(identity)
            case .acknowledged(let identity, _), .superseded(let identity, _),
                .deadLettered(let identity, _, _):
                identities.remove(identity)
            default: break
            }
        }
    }
}
