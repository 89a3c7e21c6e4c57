import Foundation

/// Sends a request until it is answered or the policy says stop, and says why it stopped.
///
/// For calls that somebody waits for: the deadline is theirs. Work that must arrive however long
/// that takes belongs in an `Outbox` or a `ChunkedUploader`, which outlive the process.
///
/// ```swift
/// let retrier = Retrier(environment: environment, policy: policy, budget: budget)
/// let response = try await retrier.send(request, isIdempotent: true)
/// ```
public struct Retrier: Sendable {
    /// The ports.
    public let environment: ClientEnvironment
    /// The rules.
    public let policy: RetryPolicy
    /// Pays for retries; share one among the calls to one server.
    ///
    /// Nil for none.
    public let budget: SharedRetryBudget?
    /// What the server asked of all calls by Retry-After; share one among the calls to one server.
    ///
    /// Nil lets each call heed only what it was asked itself.
    public let pause: SharedServerPause?
    /// Hears of attempts and waits, for logs and screens.
    public let observer: (@Sendable (RetryEvent) -> Void)?

    /// Makes a retrier.
    public init(
        environment: ClientEnvironment,
        policy: RetryPolicy = RetryPolicy(),
        budget: SharedRetryBudget? = nil,
        pause: SharedServerPause? = nil,
        observer: (@Sendable (RetryEvent) -> Void)? = nil
    ) {
        self.environment = environment
        self.policy = policy
        self.budget = budget
        self.pause = pause
        self.observer = observer
    }

    /// Sends `request`; returns the first response that another attempt would not better.
    ///
    /// That is a success, or a status that says the request itself is wrong. Without a route nothing
    /// is sent and no attempt counted: the call waits for one. Throws `RetryFailure` when it gives up.
    ///
    /// `isIdempotent` says whether the server can take it twice: nil judges by the method (GET, HEAD,
    /// PUT, DELETE, OPTIONS, TRACE; RFC 9110, 9.2.2) and by a field `Idempotency-Key`.
    public func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody = .none,
        isIdempotent: Bool? = nil
    ) async throws(RetryFailure) -> HTTPResponse {
        let clock = environment.clock
        var progress = RetryProgress(
            policy: policy,
            isIdempotent: isIdempotent ?? Self.isIdempotent(request),
            startedAt: clock.now
        )
        while true {
            guard await waitForRoute(until: progress.deadline) else {
                let isCancelled = Task.isCancelled
                throw failure(
                    isCancelled ? .cancelled : .deadline,
                    progress,
                    .error(URLError(isCancelled ? .cancelled : .notConnectedToInternet))
                )
            }
            if let deadline = progress.deadline, clock.now >= deadline {
                throw failure(.deadline, progress, .error(URLError(.notConnectedToInternet)))
            }
            if let pause, pause.until > clock.now {
                // Another call was asked to wait. As after an answer of its own, a wait that would end at
                // the deadline is not begun: the caller is told now.
                let until = pause.until
                if let deadline = progress.deadline, until >= deadline {
                    throw failure(.deadline, progress, .status(pause.status))
                }
                if let kind = FailureClass(status: pause.status) {
                    observer?(.waiting(until: until, kind))
                }
                await wait(until: until, progress)
                continue
            }
            let end = progress.beginAttempt(at: clock.now)
            observer?(.attempt(number: progress.attempts, at: clock.now))
            let outcome = await attempt(request, body, until: end)
            guard let failed = outcome.failure(wallTime: clock.wallTime) else {
                budget?.update { $0.deposit() }
                return try outcome.response(orThrow: failure(.cancelled, progress, outcome.cause))
            }
            if let asked = failed.retryAfter, case .status(let status) = outcome.cause,
                status == 503 || status == 429
            {
                pause?.extend(until: clock.now + asked, status: status)
            }
            switch decide(&progress, after: failed) {
            case .retryWhenReachable:
                // The path says there is a route and the socket says there is none: it may take a
                // moment for the one to hear of the other.
                await wait(until: clock.now + policy.base, progress)
            case .retry(let instant):
                observer?(.waiting(until: instant, failed.kind))
                await wait(until: instant, progress)
            case .giveUp(.permanent):
                if case .response(let response) = outcome { return response }
                throw failure(.permanent, progress, outcome.cause)
            case .giveUp(let reason):
                throw failure(reason, progress, outcome.cause)
            }
        }
    }

    /// Whether a request may be repeated by its own words.
    static func isIdempotent(_ request: HTTPRequest) -> Bool {
        if request[header: "Idempotency-Key"] != nil { return true }
        return ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(request.method)
    }

    private func decide(
        _ progress: inout RetryProgress,
        after failure: AttemptFailure
    ) -> RetryDecision {
        let now = environment.clock.now
        let random = environment.random
        guard let budget else {
            var none: RetryBudget?
            return progress.decide(after: failure, at: now, budget: &none, random: random)
        }
        var copy = progress
        let decision = budget.update { budget in
            var current: RetryBudget? = budget
            let decision = copy.decide(after: failure, at: now, budget: &current, random: random)
            if let current { budget = current }
            return (decision, copy)
        }
        progress = decision.1
        return decision.0
    }

    private func attempt(
        _ request: HTTPRequest,
        _ body: HTTPRequestBody,
        until end: Duration?
    ) async -> AttemptOutcome {
        let exchange = TimedExchange(transport: environment.transport, clock: environment.clock)
        do {
            return .response(try await exchange.send(request, body: body, deadline: end) { $0 })
        } catch let error as URLError {
            return .error(Task.isCancelled ? URLError(.cancelled) : error)
        } catch {
            return .error(URLError(Task.isCancelled ? .cancelled : .unknown))
        }
    }

    /// Returns when there is a route; false when the deadline or a cancellation came first.
    private func waitForRoute(until deadline: Duration?) async -> Bool {
        guard !environment.path.current.isSatisfied else { return !Task.isCancelled }
        observer?(.waitingForRoute)
        let clock = environment.clock
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await path in environment.path.changes() where path.isSatisfied { return true }
                return false
            }
            if let deadline {
                group.addTask {
                    try? await clock.sleep(until: deadline)
                    return false
                }
            }
            let isReachable = await group.next() ?? false
            group.cancelAll()
            return isReachable
        }
    }

    private func wait(until instant: Duration, _ progress: RetryProgress) async {
        // A cancellation shows at the next attempt, which then does not begin.
        try? await environment.clock.sleep(until: min(instant, progress.deadline ?? instant))
    }

    private func failure(
        _ reason: RetryGiveUpReason,
        _ progress: RetryProgress,
        _ cause: RetryFailure.Cause
    ) -> RetryFailure {
        RetryFailure(
            reason: reason,
            attempts: progress.attempts,
            elapsed: environment.clock.now - progress.startedAt,
            cause: cause
        )
    }
}

/// What came of one attempt.
private enum AttemptOutcome: Sendable {
    case response(HTTPResponse)
    case error(URLError)

    /// How it failed; nil for a success.
    func failure(wallTime: Date) -> AttemptFailure? {
        switch self {
        case .response(let response):
            FailureClass(status: response.status).map {
                AttemptFailure(
                    $0,
                    retryAfter: RetryAfter.wait(askedBy: response, wallTime: wallTime)
                )
            }
        case .error(let error):
            AttemptFailure(FailureClass(error))
        }
    }

    var cause: RetryFailure.Cause {
        switch self {
        case .response(let response): .status(response.status)
        case .error(let error): .error(error)
        }
    }

    func response(orThrow failure: RetryFailure) throws(RetryFailure) -> HTTPResponse {
        guard case .response(let response) = self else { throw failure }
        return response
    }
}
