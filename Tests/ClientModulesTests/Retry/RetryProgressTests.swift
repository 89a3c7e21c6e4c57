import ClientModules
import Testing

@Suite struct RetryProgressTests {
    struct DecisionCase: Sendable, CustomStringConvertible {
        var kind: FailureClass
        var isIdempotent: Bool
        var decision: RetryDecision
        var description: String { "\(kind), idempotent: \(isIdempotent)" }
    }

    // The attempt began at 10 s and failed at 12 s; the first wait at its ceiling is 1 s.
    static let cases: [DecisionCase] = [
        .init(kind: .offline, isIdempotent: true, decision: .retryWhenReachable),
        .init(kind: .offline, isIdempotent: false, decision: .retryWhenReachable),
        .init(kind: .connectFail, isIdempotent: true, decision: .retry(at: .seconds(13))),
        .init(kind: .connectFail, isIdempotent: false, decision: .retry(at: .seconds(13))),
        .init(kind: .ambiguous, isIdempotent: true, decision: .retry(at: .seconds(13))),
        .init(
            kind: .ambiguous,
            isIdempotent: false,
            decision: .giveUp(.ambiguousAndNotIdempotent)
        ),
        .init(kind: .throttle, isIdempotent: true, decision: .retry(at: .seconds(13))),
        .init(kind: .throttle, isIdempotent: false, decision: .retry(at: .seconds(13))),
        .init(kind: .server, isIdempotent: true, decision: .retry(at: .seconds(13))),
        .init(
            kind: .server,
            isIdempotent: false,
            decision: .giveUp(.ambiguousAndNotIdempotent)
        ),
        .init(kind: .client, isIdempotent: true, decision: .giveUp(.permanent)),
        .init(kind: .client, isIdempotent: false, decision: .giveUp(.permanent)),
        .init(kind: .cancelled, isIdempotent: true, decision: .giveUp(.cancelled)),
        .init(kind: .cancelled, isIdempotent: false, decision: .giveUp(.cancelled)),
    ]

    @Test(arguments: cases)
    func `each class of failure has its decision`(_ example: DecisionCase) {
        var progress = RetryProgress(
            policy: RetryPolicy(base: .seconds(1), jitter: .none, deadline: nil),
            isIdempotent: example.isIdempotent,
            startedAt: .seconds(10)
        )
        _ = progress.beginAttempt(at: .seconds(10))
        var budget: RetryBudget?
        let decision = progress.decide(
            after: AttemptFailure(example.kind),
            at: .seconds(12),
            budget: &budget,
            random: SeededRandom()
        )
        #expect(decision == example.decision)
    }

    @Test func `an attempt without a route is not counted and costs no token`() {
        var progress = RetryProgress(
            policy: RetryPolicy(deadline: nil, maximumAttempts: 1),
            isIdempotent: true,
            startedAt: .zero
        )
        var budget: RetryBudget? = RetryBudget(capacity: 1)
        for _ in 0..<5 {
            _ = progress.beginAttempt(at: .zero)
            let decision = progress.decide(
                after: AttemptFailure(.offline),
                at: .zero,
                budget: &budget,
                random: SeededRandom()
            )
            #expect(decision == .retryWhenReachable)
        }
        #expect(progress.attempts == 0)
        #expect(budget?.tokens == 1)
    }

    @Test func `an attempt ends at its own limit or at the deadline, whichever is first`() {
        func end(_ timeout: Duration?, _ deadline: Duration?, at now: Duration) -> Duration? {
            var progress = RetryProgress(
                policy: RetryPolicy(deadline: deadline, attemptTimeout: timeout),
                isIdempotent: true,
                startedAt: .zero
            )
            return progress.beginAttempt(at: now)
        }
        #expect(end(.seconds(2), .seconds(10), at: .seconds(3)) == .seconds(5))
        #expect(end(.seconds(2), .seconds(10), at: .seconds(9)) == .seconds(10))
        #expect(end(nil, .seconds(10), at: .seconds(9)) == .seconds(10))
        #expect(end(.seconds(2), nil, at: .seconds(9)) == .seconds(11))
        #expect(end(nil, nil, at: .zero) == nil)
    }

    @Test func `limits end a call with their name`() {
        func reason(_ policy: RetryPolicy, _ tokens: Int, asked: Duration? = nil) -> RetryDecision {
            var progress = RetryProgress(
                policy: policy,
                isIdempotent: true,
                startedAt: .zero
            )
            _ = progress.beginAttempt(at: .zero)
            var budget: RetryBudget? = RetryBudget(capacity: tokens)
            return progress.decide(
                after: AttemptFailure(.throttle, retryAfter: asked),
                at: .seconds(9),
                budget: &budget,
                random: SeededRandom()
            )
        }
        let exact = RetryPolicy(jitter: .none, deadline: .seconds(10))
        // 9 s + 1 s of backoff reaches the deadline of 10 s: told now.
        #expect(reason(exact, 1) == .giveUp(.deadline))
        let longer = RetryPolicy(jitter: .none, deadline: .seconds(20))
        #expect(reason(longer, 1, asked: .seconds(30)) == .giveUp(.deadline))
        #expect(reason(longer, 0) == .giveUp(.budget))
        #expect(reason(longer, 1) == .retry(at: .seconds(10)))
        let once = RetryPolicy(jitter: .none, deadline: .seconds(20), maximumAttempts: 1)
        #expect(reason(once, 1) == .giveUp(.attempts))
    }

    @Test func `a retry that is not made costs no token`() {
        var progress = RetryProgress(
            policy: RetryPolicy(jitter: .none, deadline: .seconds(1)),
            isIdempotent: true,
            startedAt: .zero
        )
        _ = progress.beginAttempt(at: .zero)
        var budget: RetryBudget? = RetryBudget(capacity: 1)
        _ = progress.decide(
            after: AttemptFailure(.throttle),
            at: .seconds(1),
            budget: &budget,
            random: SeededRandom()
        )
        #expect(budget?.tokens == 1)
    }
}
