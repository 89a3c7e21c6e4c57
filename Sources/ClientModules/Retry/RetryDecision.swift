/// What to do after an attempt failed.
public enum RetryDecision: Equatable, Sendable {
    /// Try again at this instant of the monotonic clock, not before.
    case retry(at: Duration)
    /// There is no route: try as soon as there is one. No attempt was used up, and no token.
    case retryWhenReachable
    /// Tell the caller.
    case giveUp(RetryGiveUpReason)
}

/// Why no further attempt is made.
public enum RetryGiveUpReason: String, Sendable, CaseIterable, Codable {
    /// The same request would fail again.
    case permanent
    /// The server may have acted, and acting twice would do harm.
    case ambiguousAndNotIdempotent
    /// The deadline has come, or the next attempt would start at or after it.
    case deadline
    /// All attempts that the policy allows were made.
    case attempts
    /// The retry budget is empty.
    case budget
    /// The caller took the request back.
    case cancelled
}

/// How one attempt failed, as far as it matters for the next.
public struct AttemptFailure: Equatable, Sendable {
    /// The kind of failure.
    public var kind: FailureClass
    /// What the server asked by Retry-After, already relative to now; nil if nothing.
    public var retryAfter: Duration?

    /// Describes a failure.
    public init(_ kind: FailureClass, retryAfter: Duration? = nil) {
        self.kind = kind
        self.retryAfter = retryAfter
    }
}
