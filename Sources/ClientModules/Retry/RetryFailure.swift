import Foundation

/// A call that was given up: why, after how much, and what the last attempt said.
public struct RetryFailure: Error, Sendable, CustomStringConvertible {
    /// How the last attempt ended.
    public enum Cause: Sendable {
        /// The server answered with this status.
        case status(Int)
        /// The exchange broke, or never began.
        case error(URLError)
    }

    /// Why no further attempt is made.
    public var reason: RetryGiveUpReason
    /// Attempts that were made.
    public var attempts: Int
    /// Time from the call to this end.
    public var elapsed: Duration
    /// How the last attempt ended.
    public var cause: Cause

    /// One line for a log.
    public var description: String {
        let last =
            switch cause {
            case .status(let status): "status \(status)"
            case .error(let error): "URLError \(error.code.rawValue)"
            }
        return "gave up (\(reason.rawValue)) after \(attempts) attempts in \(elapsed): \(last)"
    }
}

/// What a retrier tells its observer.
public enum RetryEvent: Sendable, Equatable {
    /// An attempt starts at this instant of the monotonic clock.
    case attempt(number: Int, at: Duration)
    /// The last attempt failed so, and the next one starts at this instant.
    case waiting(until: Duration, FailureClass)
    /// There is no route.
    case waitingForRoute
}
