/// When to try again, and when to stop: a value, and arithmetic on it.
///
/// ```swift
/// var policy = RetryPolicy()          // full jitter, 1 s doubling to 60 s
/// policy.deadline = .seconds(10)      // the user is told after ten seconds at the latest
/// ```
///
/// A deadline says what a person cares for; a count of attempts says nothing that they can feel.
/// No ladder of seconds crosses a tunnel of minutes: work that must arrive belongs in an `Outbox`.
public struct RetryPolicy: Sendable, Equatable {
    /// Ceiling of the first wait; each further one is twice the one before.
    public var base: Duration
    /// No wait is longer, but for what a server asks by Retry-After.
    public var ceiling: Duration
    /// Ceilings of the first waits one by one, in place of doubling; empty to double.
    ///
    /// After the last of them every wait has the policy's `ceiling`. Decorrelated jitter, which goes on
    /// from the wait before, does not look at them.
    public var delays: [Duration]
    /// How chance spreads the waits.
    public var jitter: RetryJitter
    /// Span from the first attempt's start after which the caller is told; nil never ends.
    public var deadline: Duration?
    /// Most attempts, the first one included; nil for no limit.
    public var maximumAttempts: Int?
    /// Longest that one attempt may take; the deadline cuts it shorter.
    public var attemptTimeout: Duration?

    /// Makes a policy.
    ///
    /// The defaults, 1 s doubling to 60 s with full jitter, are assumptions; with them 1,000 clients
    /// that lost their server for 30 s came back with at most 10 requests per 100 ms after its
    /// recovery (schedule simulation, `storm_sim`).
    public init(
        base: Duration = .seconds(1),
        ceiling: Duration = .seconds(60),
        jitter: RetryJitter = .full,
        deadline: Duration? = .seconds(60),
        maximumAttempts: Int? = nil,
        attemptTimeout: Duration? = .seconds(30),
        delays: [Duration] = []
    ) {
        precondition(base > .zero, "the base of a backoff must be positive, not \(base)")
        precondition(
            ceiling >= base,
            "the ceiling \(ceiling) of a backoff is below its base \(base)"
        )
        if let maximumAttempts {
            precondition(maximumAttempts >= 1, "\(maximumAttempts) attempts leave none to make")
        }
        precondition(
            delays.allSatisfy { $0 >= .zero },
            "a delay below zero in \(delays) would be in the past"
        )
        self.delays = delays
        self.base = base
        self.ceiling = ceiling
        self.jitter = jitter
        self.deadline = deadline
        self.maximumAttempts = maximumAttempts
        self.attemptTimeout = attemptTimeout
    }

    /// Ceiling of the wait before retry `number`, counted from one: base x 2^(number - 1), capped.
    ///
    /// With `delays`, the one of that number, and the policy's `ceiling` after the last.
    public func ceiling(beforeRetry number: Int) -> Duration {
        precondition(number >= 1, "retries are counted from one, not \(number)")
        guard delays.isEmpty else {
            return number <= delays.count ? delays[number - 1] : ceiling
        }
        var span = base
        // Doubling by steps cannot overflow: it stops at the cap.
        for _ in 1..<number {
            guard span < ceiling else { break }
            span += span
        }
        return min(span, ceiling)
    }

    /// The wait before retry `number`, counted from one.
    ///
    /// Only decorrelated jitter looks at `previous`, the wait before, and takes `base` where there is
    /// none. Draws once, or not at all without jitter.
    public func wait(
        beforeRetry number: Int,
        previous: Duration? = nil,
        random: any ClientRandom
    ) -> Duration {
        let limit = ceiling(beforeRetry: number)
        switch jitter {
        case .none:
            return limit
        case .full:
            return random.duration(upTo: limit)
        case .equal:
            let half = limit / 2
            return half + random.duration(upTo: limit - half)
        case .decorrelated:
            let before = max(previous ?? base, base)
            return min(ceiling, base + random.duration(upTo: before * 3 - base))
        }
    }

    /// The wait before retry `number` when the server asked for `asked`.
    ///
    /// What the server asks is a floor: chance is added to it, never taken from it, or all who were
    /// told the same second would come back in it. Nothing is added where the policy has no jitter.
    public func wait(
        beforeRetry number: Int,
        previous: Duration? = nil,
        asked: Duration?,
        random: any ClientRandom
    ) -> Duration {
        let own = wait(beforeRetry: number, previous: previous, random: random)
        guard let asked else { return own }
        guard jitter != .none else { return max(asked, own) }
        return max(asked, own) + random.duration(upTo: base)
    }
}
