/// Gets an app's queues the time they need out of sight: asks to finish, uses each window, asks for another.
///
/// ```swift
/// let keeper = BackgroundKeeper(environment: environment) { await outbox.needsTime() }
/// Task { await keeper.run() }                        // once a launch; cancel to stop
/// ```
///
/// The queues themselves go on as the process is given time; the keeper only says when they are done, so
/// that the system need not wait for the end of a window. Does nothing where the system offers none.
public struct BackgroundKeeper: Sendable {
    /// How long before its end a window is given back, so that the app is never killed for one.
    ///
    /// Two seconds are an assumption: longer than any commit.
    public static let margin: Duration = .seconds(2)
    /// How often the queues are asked while a window is open; half a second is an assumption.
    public static let interval: Duration = .milliseconds(500)

    private let environment: ClientEnvironment
    private let identifier: String
    private let needsTime: @Sendable () async -> Bool

    /// Makes a keeper; `needsTime` tells whether anything is left that the process itself has to do.
    public init(
        environment: ClientEnvironment,
        identifier: String = "drain",
        needsTime: @escaping @Sendable () async -> Bool
    ) {
        self.environment = environment
        self.identifier = identifier
        self.needsTime = needsTime
    }

    /// Keeps house until the task is cancelled.
    public func run() async {
        guard let background = environment.background else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await followPhases(background) }
            for await window in background.windows() {
                group.addTask { await use(window, background) }
            }
        }
    }

    private func followPhases(_ background: any BackgroundWork) async {
        for await phase in environment.signals.phases() where phase == .background {
            guard await needsTime() else { continue }
            // First the wish for later: the time to finish may not do, or not be given at all.
            try? background.request(BackgroundRequest(identifier: identifier))
            guard let window = background.beginFinishing(identifier) else { continue }
            await use(window, background)
        }
    }

    private func use(_ window: BackgroundWindow, _ background: any BackgroundWork) async {
        let clock = environment.clock
        var isDone = false
        while !Task.isCancelled, clock.now + Self.interval <= window.expiresAt - Self.margin {
            try? await clock.sleep(for: Self.interval)
            isDone = await !needsTime()
            if isDone { break }
        }
        if isDone {
            background.cancelRequest(identifier: identifier)
        } else {
            try? background.request(BackgroundRequest(identifier: identifier))
        }
        window.end(succeeded: isDone)
    }
}
