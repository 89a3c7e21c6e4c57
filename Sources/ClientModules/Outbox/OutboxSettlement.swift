import Foundation

/// How an intent ended, told within the transaction that ends it.
public struct OutboxSettlement: Sendable, Equatable {
    /// The end.
    public enum Outcome: Sendable, Equatable {
        /// The server has it. The body is cut at `OutboxConfiguration.responseLimit`.
        case acknowledged(status: Int, body: Data)
        /// A later intent took its place before it was sent.
        case superseded(by: String)
        /// It was given up; one that may have taken effect is not to be called failed.
        case deadLettered(OutboxDeadLetter.Reason, mayHaveTakenEffect: Bool = false)
    }

    /// The intent's identity.
    public var identity: String
    /// How it ended.
    public var outcome: Outcome

    /// Makes a settlement.
    public init(identity: String, outcome: Outcome) {
        self.identity = identity
        self.outcome = outcome
    }
}
