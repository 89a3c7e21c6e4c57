/// Asks the system for time while nobody looks at the app, and is given what the system would give.
///
/// UIApplication's background tasks and BGTaskScheduler on Apple systems; JobScheduler, by way of
/// WorkManager, on Android. Silent pushes and results of transfers come as windows too.
public protocol BackgroundWork: Sendable {
    /// Asks, out of sight, to run on for a while before the app is suspended.
    ///
    /// `beginBackgroundTask`. Nil where nobody is given any, or while the app is in front and needs none.
    func beginFinishing(_ name: String) -> BackgroundWindow?
    /// Asks for a window later; replaces a request of the same identifier.
    ///
    /// A request outlives the process. It is used up by its window; one that failed may come again.
    /// Throws `BackgroundWorkError.tooManyRequests`.
    func request(_ request: BackgroundRequest) throws
    /// Takes a request back.
    func cancelRequest(identifier: String)
    /// Windows as they are opened; those that nobody has heard of yet come first.
    func windows() -> AsyncStream<BackgroundWindow>
}

/// A wish to work later.
public struct BackgroundRequest: Sendable, Equatable {
    /// What the app knows it by; unique.
    public var identifier: String
    /// What kind of work it is.
    public var kind: BackgroundRequestKind
    /// Not before this long from now.
    public var delay: Duration
    /// Whether it waits for a route.
    public var needsNetwork: Bool

    /// Makes a request.
    public init(
        identifier: String,
        kind: BackgroundRequestKind = .refresh,
        delay: Duration = .zero,
        needsNetwork: Bool = true
    ) {
        self.identifier = identifier
        self.kind = kind
        self.delay = delay
        self.needsNetwork = needsNetwork
    }
}

/// Kinds of work that can be asked for.
public enum BackgroundRequestKind: Sendable, Equatable {
    /// Short: BGAppRefreshTask, or a job that needs a network.
    case refresh
    /// Long, while the phone rests and is plugged in: BGProcessingTask, or a job with these constraints.
    case processing
}

/// Why a request was not taken.
public enum BackgroundWorkError: Error, Sendable, Equatable {
    /// So many of its kind wait already.
    case tooManyRequests(limit: Int)
}

/// Time in which the app runs although nobody looks at it.
public struct BackgroundWindow: Sendable {
    /// Why there is one.
    public enum Reason: Sendable, Equatable {
        /// The app asked to finish something.
        case finishing
        /// It asked for work of this kind.
        case requested(BackgroundRequestKind)
        /// A push came.
        case push
        /// A transfer of the system has a result.
        case transfer
    }

    /// The request's identifier, or the name that it was asked for by.
    public var identifier: String
    /// Why there is one.
    public var reason: Reason
    /// When it is over, on the clock's scale: who goes on after it is suspended or killed.
    public var expiresAt: Duration
    private let onEnd: @Sendable (Bool) -> Void

    /// Makes a window; `onEnd` is told whether the work succeeded.
    public init(
        identifier: String,
        reason: Reason,
        expiresAt: Duration,
        onEnd: @escaping @Sendable (_ succeeded: Bool) -> Void
    ) {
        self.identifier = identifier
        self.reason = reason
        self.expiresAt = expiresAt
        self.onEnd = onEnd
    }

    /// Gives the rest of the time back; the app may be suspended at its next wait.
    public func end(succeeded: Bool) { onEnd(succeeded) }
}
