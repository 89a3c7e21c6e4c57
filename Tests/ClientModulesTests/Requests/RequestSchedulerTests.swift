import ClientModules
import Foundation
import Synchronization
import Testing

/// A transport whose every exchange takes the same time, and which knows what was cut off.
final class CountingTransport: HTTPTransport {
    private struct State {
        var sent: [(path: String, at: Duration)] = []
        var cancelled: [String] = []
        var running = 0
        var most = 0
        var failure: URLError.Code?
    }

    private let state = Mutex(State())
    private let clock: ManualClock
    private let span: Duration

    init(clock: ManualClock, span: Duration) {
        self.clock = clock
        self.span = span
    }

    var sent: [(path: String, at: Duration)] { state.withLock { $0.sent } }
    var cancelled: [String] { state.withLock { $0.cancelled } }
    var mostAtOnce: Int { state.withLock { $0.most } }

    func fail(with code: URLError.Code) { state.withLock { $0.failure = code } }

    func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        progress: (@Sendable (Int64) -> Void)?
    ) async throws -> HTTPResponse {
        let path = request.url.path()
        let failure = state.withLock { state in
            state.sent.append((path, clock.now - .seconds(1_000)))
            state.running += 1
            state.most = max(state.most, state.running)
            return state.failure
        }
        defer { state.withLock { $0.running -= 1 } }
        do {
            try await clock.sleep(for: span)
        } catch {
            state.withLock { $0.cancelled.append(path) }
            throw URLError(.cancelled)
        }
        if let failure { throw URLError(failure) }
        let rest = Mutex<Data?>(Data(path.utf8))
        return HTTPResponse(status: 200, headers: []) { rest.withLock { $0.take() } }
    }
}

@Suite struct RequestSchedulerTests {
    let phone: TestPhone
    let transport: CountingTransport
    let heard = Heard<RequestEvent>()

    init() throws {
        phone = try TestPhone()
        transport = CountingTransport(clock: phone.clock, span: .milliseconds(200))
    }

    /// A scheduler that runs from now on.
    func makeScheduler(_ slots: RequestSlots = .init()) -> RequestScheduler {
        var environment = phone.environment
        environment.transport = transport
        let heard = heard
        let scheduler = RequestScheduler(environment: environment, slots: slots) { heard.hear($0) }
        phone.start { await scheduler.run() }
        return scheduler
    }

    func request(
        _ path: String,
        method: String = "GET",
        user: String = "a"
    ) throws -> HTTPRequest {
        HTTPRequest(
            method: method,
            url: try #require(URL(string: "https://api.example\(path)")),
            headers: [HTTPHeader("Authorization", user)]
        )
    }

    /// Asks, and notes what comes of it.
    @discardableResult
    func ask(
        _ scheduler: RequestScheduler,
        _ request: HTTPRequest,
        _ tier: RequestTier,
        into outcome: Heard<String> = Heard()
    ) -> Task<Void, Never> {
        phone.start {
            do {
                let response = try await scheduler.send(request, tier: tier)
                outcome.hear(String(decoding: response.body, as: UTF8.self))
            } catch {
                outcome.hear("\((error as? URLError)?.code == .cancelled ? "cancelled" : "failed")")
            }
        }
    }

    func start(of path: String) -> Duration? {
        transport.sent.first { $0.path == path }?.at
    }

    // F10. 20 prefetches of 200 ms in a pool of 4 are 5 rounds: whoever queues behind them starts
    // after 5 x 0.2 = 1.0 s. With a tier of its own the tap waits for nothing.
    @Test(arguments: [(RequestTier.prefetch, Duration.seconds(1)), (.interactive, .zero)])
    func `a tap behind 20 prefetches starts after 1 s, or at once in a tier of its own`(
        tier: RequestTier,
        start: Duration
    ) throws {
        let scheduler = makeScheduler(RequestSlots(prefetch: 4))
        for number in 1...20 { ask(scheduler, try request("/p\(number)"), .prefetch) }
        ask(scheduler, try request("/tap"), tier)
        phone.pass(.seconds(10))
        #expect(self.start(of: "/tap") == start)
        #expect(transport.sent.count == 21)
    }

    // F11. Eight cards by three authors: 8 requests, 3 distinct, 5 of 8 (62.5 %) are spared.
    @Test func `eight cards by three authors cost three requests`() throws {
        let scheduler = makeScheduler()
        let outcome = Heard<String>()
        for author in [1, 2, 1, 3, 1, 2, 3, 1] {
            ask(scheduler, try request("/avatars/\(author)"), .visible, into: outcome)
        }
        phone.pass(.seconds(1))
        #expect(transport.sent.map(\.path) == ["/avatars/1", "/avatars/2", "/avatars/3"])
        #expect(outcome.all.count == 8)
        #expect(outcome.all.count { $0 == "/avatars/1" } == 4)
        let joined = heard.all.count { if case .joined = $0 { true } else { false } }
        #expect(joined == 5)
    }

    @Test func `no tier has more in flight than it has slots`() throws {
        let scheduler = makeScheduler(RequestSlots(visible: 3))
        for number in 1...10 { ask(scheduler, try request("/\(number)"), .visible) }
        phone.pass(.seconds(10))
        #expect(transport.mostAtOnce == 3)
        // Ten in threes: the last starts in the fourth round.
        #expect(start(of: "/10") == .milliseconds(600))
    }

    @Test func `one who leaves takes nothing from the others`() throws {
        let scheduler = makeScheduler()
        let outcome = Heard<String>()
        let first = ask(scheduler, try request("/x"), .visible, into: outcome)
        ask(scheduler, try request("/x"), .visible, into: outcome)
        phone.pass(.milliseconds(100))
        first.cancel()
        phone.pass(.seconds(1))
        #expect(outcome.all == ["cancelled", "/x"])
        #expect(transport.cancelled.isEmpty)
    }

    @Test func `the last one who leaves ends the transfer`() throws {
        let scheduler = makeScheduler()
        let outcome = Heard<String>()
        let asked = [
            ask(scheduler, try request("/x"), .visible, into: outcome),
            ask(scheduler, try request("/x"), .visible, into: outcome),
        ]
        phone.pass(.milliseconds(100))
        for task in asked { task.cancel() }
        phone.pass(.zero)
        #expect(transport.cancelled == ["/x"])
        #expect(outcome.all == ["cancelled", "cancelled"])
        // Who asks for it now gets an answer, not the end of what was cut off.
        ask(scheduler, try request("/x"), .visible, into: outcome)
        phone.pass(.seconds(1))
        #expect(outcome.all.last == "/x")
        #expect(transport.sent.count == 2)
    }

    @Test func `a queued request that nobody wants is never sent`() throws {
        let scheduler = makeScheduler(RequestSlots(prefetch: 1))
        ask(scheduler, try request("/first"), .prefetch)
        let second = ask(scheduler, try request("/second"), .prefetch)
        ask(scheduler, try request("/third"), .prefetch)
        second.cancel()
        phone.pass(.seconds(2))
        #expect(transport.sent.map(\.path) == ["/first", "/third"])
        let cancelled = heard.all.contains(
            .cancelled(try request("/second"), wasInFlight: false)
        )
        #expect(cancelled)
    }

    @Test func `a queued prefetch that is looked at starts at once`() throws {
        let scheduler = makeScheduler(RequestSlots(prefetch: 1))
        for number in 1...5 { ask(scheduler, try request("/\(number)"), .prefetch) }
        phone.pass(.milliseconds(50))
        #expect(scheduler.promote(try request("/5"), to: .visible))
        ask(scheduler, try request("/4"), .interactive)
        phone.pass(.seconds(5))
        #expect(start(of: "/5") == .milliseconds(50))
        #expect(start(of: "/4") == .milliseconds(50))
        #expect(start(of: "/2") == .milliseconds(200))
        #expect(transport.sent.count == 5)
        #expect(!scheduler.promote(try request("/5"), to: .visible))
    }

    @Test func `a prefetch in flight that is looked at makes room for the next`() throws {
        let scheduler = makeScheduler(RequestSlots(prefetch: 1))
        ask(scheduler, try request("/1"), .prefetch)
        ask(scheduler, try request("/2"), .prefetch)
        phone.pass(.milliseconds(50))
        ask(scheduler, try request("/1"), .visible)
        phone.pass(.seconds(1))
        #expect(start(of: "/2") == .milliseconds(50))
    }

    @Test func `a failure reaches all who wait`() throws {
        transport.fail(with: .networkConnectionLost)
        let scheduler = makeScheduler()
        let outcome = Heard<String>()
        for _ in 1...3 { ask(scheduler, try request("/x"), .visible, into: outcome) }
        phone.pass(.seconds(1))
        #expect(outcome.all == ["failed", "failed", "failed"])
        #expect(transport.sent.count == 1)
    }

    @Test func `another user, another method and a post are requests of their own`() throws {
        let scheduler = makeScheduler()
        ask(scheduler, try request("/x"), .visible)
        ask(scheduler, try request("/x", user: "b"), .visible)
        ask(scheduler, try request("/x", method: "HEAD"), .visible)
        ask(scheduler, try request("/x", method: "POST"), .interactive)
        ask(scheduler, try request("/x", method: "POST"), .interactive)
        phone.pass(.seconds(1))
        #expect(transport.sent.count == 5)
    }

    @Test func `what is asked before the scheduler runs is sent when it does, and ended with it`()
        throws
    {
        var environment = phone.environment
        environment.transport = transport
        let scheduler = RequestScheduler(environment: environment)
        let outcome = Heard<String>()
        ask(scheduler, try request("/x"), .visible, into: outcome)
        #expect(transport.sent.isEmpty)
        let run = phone.start { await scheduler.run() }
        #expect(transport.sent.count == 1)
        run.cancel()
        phone.pass(.zero)
        #expect(outcome.all == ["cancelled"])
        #expect(transport.cancelled == ["/x"])
    }

    @Test func `a task that is cancelled before it asks sends nothing`() throws {
        let scheduler = makeScheduler()
        let outcome = Heard<String>()
        let request = try request("/x")
        phone.start {
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                _ = try await scheduler.send(request, tier: .visible)
            } catch {
                outcome.hear("\((error as? URLError)?.code.rawValue ?? 0)")
            }
        }
        phone.pass(.seconds(1))
        #expect(outcome.all == ["\(URLError.Code.cancelled.rawValue)"])
        #expect(transport.sent.isEmpty)
    }

    /// Random asks, promotions and departures: everyone who asks hears exactly one thing.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `everyone who asks is told once, whatever the others do`(seed: UInt64) throws {
        let scheduler = makeScheduler(RequestSlots(interactive: 1, visible: 2, prefetch: 1))
        let random = SeededRandom(seed: seed)
        let outcome = Heard<String>()
        var tasks: [Task<Void, Never>] = []
        for _ in 1...120 {
            let path = "/\(random.next() % 9)"
            let tier = RequestTier.allCases[Int(random.next() % 4)]
            switch random.next() % 4 {
            case 0 where !tasks.isEmpty: tasks[Int(random.next() % UInt64(tasks.count))].cancel()
            case 1: scheduler.promote(try request(path), to: tier)
            default: tasks.append(ask(scheduler, try request(path), tier, into: outcome))
            }
            phone.pass(.milliseconds(Int64(random.next() % 60)))
        }
        phone.pass(.seconds(60))
        #expect(outcome.all.count == tasks.count)
        #expect(!outcome.all.contains("failed"))
        // Every transfer was either wanted to its end or ended early.
        #expect(transport.cancelled.count < transport.sent.count)
    }
}
