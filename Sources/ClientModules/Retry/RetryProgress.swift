/// Where one call stands between its attempts: the state machine that a `RetryPolicy` drives.
///
/// A value without clock or task: give it instants, it gives decisions.
public struct RetryProgress: Sendable, Equatable {
    /// The rules.
    public let policy: RetryPolicy
    /// Whether the server can tell a repeated request from a new one.
    public let isIdempotent: Bool
    /// When the caller asked, on the monotonic clock.
    public let startedAt: Duration
    /// Attempts that were begun and not taken back for want of a route.
    public private(set) var attempts = 0
    /// The wait before the last attempt, if any.
    public private(set) var previousWait: Duration?

    /// Begins a call at `startedAt`.
    public init(policy: RetryPolicy, isIdempotent: Bool, startedAt: Duration) {
        self.policy = policy
        self.isIdempotent = isIdempotent
        self.startedAt = startedAt
    }

    /// The instant at which the caller is told at the latest; nil without a deadline.
    public var deadline: Duration? {
        policy.deadline.map { startedAt + $0 }
    }

    /// Counts an attempt that starts at `now`; returns when it must be cut off, or nil for never.
    public mutating func beginAttempt(at now: Duration) -> Duration? {
        attempts += 1
        let limit = policy.attemptTimeout.map { now + $0 }
        guard let limit, let deadline else { return limit ?? deadline }
        return min(limit, deadline)
    }

    /// Decides what follows the attempt that just failed.
    ///
    /// A wait that would end at or after the deadline is not begun: the caller is told now, not
    /// after a silence that can bring nothing.
    ///
    /// The budget pays for the retry (nil for no budget) and is only touched when one is granted.
    public mutating func decide(
        after failure: AttemptFailure,
        at now: Duration,
        budget: inout RetryBudget?,
        random: any ClientRandom
    ) -> RetryDecision {
        precondition(attempts >= 1, "no attempt was begun, so none can have failed")
        switch failure.kind {
        case .cancelled:
            return .giveUp(.cancelled)
        case .client:
            return .giveUp(.permanent)
        case .offline:
            attempts -= 1
            if let deadline, now >= deadline { return .giveUp(.deadline) }
            return .retryWhenReachable
        case .ambiguous, .server:
            guard isIdempotent else { return .giveUp(.ambiguousAndNotIdempotent) }
        case .connectFail, .throttle:
            break
        }
        if let most = policy.maximumAttempts, attempts >= most { return .giveUp(.attempts) }
        let wait = policy.wait(
            beforeRetry: attempts,
            previous: previousWait,
            asked: failure.retryAfter,
            random: random
        )
        if let deadline, now + wait >= deadline { return .giveUp(.deadline) }
        if budget != nil, budget?.spend() == false { return .giveUp(.budget) }
        previousWait = wait
        return .retry(at: now + wait)
    }
}
