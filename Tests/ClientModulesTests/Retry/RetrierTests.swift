import ClientModules
import Foundation
import Quantities
import Synchronization
import Testing

@Suite struct RetrierTests {
    let phone: TestPhone
    let heard = Heard<RetryEvent>()

    init() throws {
        phone = try TestPhone()
    }

    func makeRetrier(_ policy: RetryPolicy, budget: SharedRetryBudget? = nil) -> Retrier {
        let heard = heard
        return Retrier(environment: phone.environment, policy: policy, budget: budget) {
            heard.hear($0)
        }
    }

    func request(_ method: String = "GET") throws -> HTTPRequest {
        HTTPRequest(method: method, url: try #require(URL(string: "https://api.example/x")))
    }

    /// Starts a call and returns what becomes of it: a status, or the failure with its instant.
    func call(_ retrier: Retrier, _ request: HTTPRequest) -> Heard<String> {
        let outcome = Heard<String>()
        let clock = phone.clock
        let began = clock.now
        phone.start {
            do throws(RetryFailure) {
                let response = try await retrier.send(request)
                outcome.hear("\(response.status) at \(clock.now - began)")
            } catch {
                outcome.hear("\(error.reason) at \(clock.now - began), \(error.attempts) attempts")
            }
        }
        return outcome
    }

    var attemptInstants: [Duration] {
        heard.all.compactMap { event in
            if case .attempt(_, let at) = event { at - .seconds(1_000) } else { nil }
        }
    }

    // F9. Attempts of 2.5 s that time out, waits at their ceilings of 1 s and 2 s:
    // 0..2.5, wait 1, 3.5..6, wait 2, 8..10 cut by the deadline. The next would be after it.
    @Test func `a deadline of 10 s sees attempts at 0, 3.5 and 8 s and an answer at 10 s`() throws {
        phone.transport.serve { _, _ in .never }
        let retrier = makeRetrier(
            RetryPolicy(
                base: .seconds(1),
                jitter: .none,
                deadline: .seconds(10),
                attemptTimeout: .milliseconds(2_500)
            )
        )
        let outcome = call(retrier, try request())
        phone.pass(.seconds(3_600))
        #expect(attemptInstants == [.zero, .milliseconds(3_500), .seconds(8)])
        #expect(outcome.all == ["deadline at 10.0 seconds, 3 attempts"])
    }

    // F8. Every call fails at once and may retry five times: 6 attempts a call without a budget. With
    // one, the 100 initial tokens pay for 100 retries in all and no success refills the bucket:
    // (1,000 + 100) / 1,000.
    @Test(arguments: [false, true])
    func `a total outage multiplies the load sixfold, or by 1.1 with a budget`(
        _ hasBudget: Bool
    ) throws {
        phone.transport.serve { _, _ in .fails(.cannotConnectToHost, after: .zero) }
        let policy = RetryPolicy(
            base: .milliseconds(10),
            ceiling: .milliseconds(100),
            jitter: .full,
            deadline: nil,
            maximumAttempts: 6
        )
        let budget =
            hasBudget
            ? SharedRetryBudget(RetryBudget(ratio: .percent(10), capacity: 100)) : nil
        let retrier = makeRetrier(policy, budget: budget)
        let request = try request()
        phone.start {
            for _ in 0..<1_000 { _ = try? await retrier.send(request) }
        }
        phone.pass(.seconds(3_600))
        let amplification = Double(phone.transport.seen.count) / 1_000
        #expect(amplification == (hasBudget ? 1.1 : 6.0))
    }

    @Test func `a retry after a 503 is not earlier than asked`() throws {
        phone.transport.serve { _, count in
            count == 1
                ? .answer(503, [HTTPHeader("Retry-After", "20")], after: .milliseconds(100))
                : .answer(200, after: .milliseconds(100))
        }
        let outcome = call(makeRetrier(RetryPolicy()), try request())
        phone.pass(.seconds(60))
        let second = try #require(attemptInstants.dropFirst().first)
        #expect(second >= .milliseconds(20_100) && second <= .milliseconds(21_100))
        #expect(outcome.all.first?.hasPrefix("200") == true)
    }

    // The first call hears of the 20 s at 0.1 s. The second comes at 1 s: it goes out at 20.1 s if they share the
    // pause, and at once if each heeds only what it was asked itself.
    @Test(arguments: [false, true])
    func `calls that share a pause all leave the server alone`(isShared: Bool) throws {
        phone.transport.serve { _, count in
            count == 1
                ? .answer(503, [HTTPHeader("Retry-After", "20")], after: .milliseconds(100))
                : .answer(200, after: .milliseconds(100))
        }
        let once = RetryPolicy(maximumAttempts: 1)
        let pause = isShared ? SharedServerPause() : nil
        let heard = heard
        let retrier = Retrier(environment: phone.environment, policy: once, pause: pause) {
            heard.hear($0)
        }
        _ = call(retrier, try request())
        phone.pass(.seconds(1))
        let second = call(retrier, try request())
        phone.pass(.seconds(60))
        #expect(attemptInstants == [.zero, isShared ? .milliseconds(20_100) : .seconds(1)])
        #expect(second.all.first?.hasPrefix("200") == true)
    }

    // Asked at 0.1 s to come again at 20.1 s; the second call, at 1 s, has until 11 s.
    @Test func `a call whose deadline lies within the pause is told at once`() throws {
        phone.transport.serve { _, _ in
            .answer(503, [HTTPHeader("Retry-After", "20")], after: .milliseconds(100))
        }
        let pause = SharedServerPause()
        let environment = phone.environment
        _ = call(
            Retrier(
                environment: environment,
                policy: RetryPolicy(maximumAttempts: 1),
                pause: pause
            ),
            try request()
        )
        phone.pass(.seconds(1))
        let second = call(
            Retrier(
                environment: environment,
                policy: RetryPolicy(deadline: .seconds(10)),
                pause: pause
            ),
            try request()
        )
        phone.pass(.seconds(60))
        #expect(second.all == ["deadline at 0.0 seconds, 0 attempts"])
        #expect(phone.transport.seen.count == 1)
    }

    @Test func `a keyless POST is not repeated after an ambiguous end`() throws {
        phone.transport.serve { _, _ in .fails(.networkConnectionLost) }
        let outcome = call(makeRetrier(RetryPolicy()), try request("POST"))
        phone.pass(.seconds(60))
        #expect(outcome.all == ["ambiguousAndNotIdempotent at 0.1 seconds, 1 attempts"])
    }

    @Test func `a POST with a key is repeated with the same one`() throws {
        phone.transport.serve { _, count in
            count == 1 ? .fails(.networkConnectionLost) : .answer(201)
        }
        var post = try request("POST")
        post[header: "Idempotency-Key"] = "\"k\""
        let outcome = call(makeRetrier(RetryPolicy()), post)
        phone.pass(.seconds(60))
        #expect(phone.transport.seen.map { $0["Idempotency-Key"] } == ["\"k\"", "\"k\""])
        #expect(outcome.all.count == 1)
    }

    @Test func `without a route nothing is sent until there is one`() throws {
        phone.path.set(isSatisfied: false)
        let outcome = call(makeRetrier(RetryPolicy(deadline: .seconds(60))), try request())
        phone.pass(.seconds(30))
        #expect(phone.transport.seen.isEmpty)
        #expect(heard.all == [.waitingForRoute])
        phone.path.set(isSatisfied: true)
        phone.pass(.seconds(1))
        #expect(attemptInstants == [.seconds(30)])
        #expect(outcome.all == ["200 at 30.1 seconds"])
    }

    @Test func `a route that never comes is told at the deadline`() throws {
        phone.path.set(isSatisfied: false)
        let outcome = call(makeRetrier(RetryPolicy(deadline: .seconds(5))), try request())
        phone.pass(.seconds(60))
        #expect(outcome.all == ["deadline at 5.0 seconds, 0 attempts"])
    }

    @Test func `a wrong request comes back as its answer, once`() throws {
        phone.transport.serve { _, _ in .answer(404) }
        let outcome = call(makeRetrier(RetryPolicy()), try request())
        phone.pass(.seconds(60))
        #expect(phone.transport.seen.count == 1)
        #expect(outcome.all == ["404 at 0.1 seconds"])
    }

    @Test func `a cancelled call leaves no timer and sends no more`() throws {
        phone.transport.serve { _, _ in .fails(.cannotConnectToHost) }
        let retrier = makeRetrier(RetryPolicy(jitter: .none))
        let request = try request()
        let outcome = Heard<RetryGiveUpReason>()
        let task = phone.start {
            do throws(RetryFailure) { _ = try await retrier.send(request) } catch {
                outcome.hear(error.reason)
            }
        }
        phone.pass(.milliseconds(500))
        task.cancel()
        phone.pass(.zero)
        #expect(outcome.all == [.cancelled])
        phone.pass(.seconds(3_600))
        #expect(phone.transport.seen.count == 1)
    }
}
