/// An intent that was given up, kept until the app disposes of it.
public struct OutboxDeadLetter: Sendable, Equatable {
    /// Why an intent was given up.
    public enum Reason: Sendable, Equatable {
        /// The server refused it for good with this status.
        case refused(status: Int)
        /// The server failed on it this often with a 5xx; the last status.
        case poison(status: Int)
        /// It was older than `OutboxConfiguration.giveUpAfter`.
        case tooOld
        /// It may have taken effect, and the server may have forgotten its key: sending it again could double it.
        case keyExpired
        /// The request cannot be built, such as a path that is no URL.
        case unsendable
    }

    /// The intent as it was enqueued.
    public var intent: OutboxIntent
    /// Why it was given up.
    public var reason: Reason
    /// Attempts that were made.
    public var attempts: Int
    /// Whether an attempt may have taken effect: then say that nobody knows, not that it failed.
    public var mayHaveTakenEffect: Bool

    /// Makes a dead letter.
    public init(
        intent: OutboxIntent,
        reason: Reason,
        attempts: Int,
        mayHaveTakenEffect: Bool = false
    ) {
        self.intent = intent
        self.reason = reason
        self.attempts = attempts
        self.mayHaveTakenEffect = mayHaveTakenEffect
    }
}
