import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

@Suite struct OutageTests {
    private func bench(_ configuration: ServerConfiguration = .immediate) -> ServerBench {
        let bench = ServerBench(configuration)
        bench.server.acceptStandardRoutes()
        return bench
    }

    @Test func `an outage answers 503 with Retry-After until its end`() {
        let bench = bench()
        bench.server.setUnavailable(retryAfter: .seconds(20), until: .zero + .seconds(90))
        let refused = bench.post("m1", key: "k1")
        #expect(refused.status == 503)
        #expect(refused.field("Retry-After") == "20")
        bench.run(until: .seconds(90) - .nanoseconds(1))
        #expect(bench.post("m2", key: "k2").status == 503)
        bench.run(until: .seconds(90))
        #expect(bench.post("m1", key: "k1").status == 201)
        #expect(bench.effects.count == 1)
        #expect(bench.notes.map(\.isRefusal) == [true, true, false])
    }

    @Test func `an outage can end early and has no Retry-After unless asked`() {
        let bench = bench()
        bench.server.setUnavailable(status: 502, until: .distantFuture)
        let refused = bench.post("m1", key: "k1")
        #expect(refused.status == 502)
        #expect(refused.field("Retry-After") == nil)
        bench.server.restoreService()
        #expect(bench.post("m1", key: "k1").status == 201)
    }

    @Test func `a request that is being served outlives the beginning of an outage`() {
        let bench = bench(.thinking(.milliseconds(100)))
        let exchange = bench.post("m1", key: "k1")
        bench.run(until: .milliseconds(50))
        bench.server.setUnavailable(until: .zero + .seconds(9))
        bench.run(until: .milliseconds(100))
        #expect(exchange.status == 201)
    }

    @Test func `Retry-After as a date is never before the time that is meant`() {
        let bench = bench()
        bench.run(until: .milliseconds(1_500))
        bench.server.setUnavailable(
            retryAfter: .seconds(20),
            asDate: true,
            until: .zero + .seconds(90)
        )
        // 08:00:01.5 and 20 s are 08:00:21.5, rounded up.
        let refused = bench.post("m1", key: "k1")
        #expect(refused.field("Retry-After") == "Mon, 05 Jan 2026 08:00:22 GMT")
    }

    @Test func `refused connections are aborted, and new ones not taken`() {
        let bench = bench()
        bench.server.refuseConnections(until: .zero + .seconds(5))
        #expect(!bench.server.acceptsConnections)
        let exchange = bench.post("m1", key: "k1")
        #expect(exchange.isAborted)
        #expect(exchange.response == nil)
        bench.run(until: .seconds(5))
        #expect(bench.server.acceptsConnections)
        #expect(bench.post("m1", key: "k1").status == 201)
    }

    @Test func `what exceeds the capacity is 503 with its Retry-After`() {
        var configuration = ServerConfiguration.immediate
        configuration.capacity = 10
        configuration.overloadRetryAfter = .milliseconds(1_200)
        let bench = bench(configuration)
        let answers = (0..<3).map { bench.post("m\($0)", key: "k\($0)") }
        // A tenth of a second's worth of 10/s is one.
        #expect(answers.map(\.status) == [201, 503, 503])
        // Whole seconds, never fewer than meant.
        #expect(answers[1].field("Retry-After") == "2")
        bench.run(until: .milliseconds(100))
        #expect(bench.post("m9", key: "k9").status == 201)
    }

    @Test func `coming back before Retry-After is a violation, once`() {
        let bench = bench()
        bench.server.setUnavailable(retryAfter: .seconds(20), until: .zero + .seconds(10))
        bench.post("m1", key: "k1")
        bench.run(until: .seconds(19))
        bench.post("m1", key: "k1")
        #expect(bench.violations.count == 1)
        #expect(bench.violations.first?.contains("1 s before the end") == true)
        bench.post("m1", key: "k1")
        #expect(bench.violations.count == 1)
    }

    @Test func `waiting as long as asked is none, nor is another request meanwhile`() {
        let bench = bench()
        bench.server.setUnavailable(retryAfter: .seconds(20), until: .zero + .seconds(10))
        bench.post("m1", key: "k1")
        bench.run(until: .seconds(15))
        bench.post("m2", key: "k2")
        bench.run(until: .seconds(20))
        bench.post("m1", key: "k1")
        #expect(bench.violations.isEmpty)
    }

    @Test(arguments: [HTTPClientState.waiting, .gone])
    func `who did not get the answer is not blamed`(state: HTTPClientState) {
        let bench = bench()
        bench.server.setUnavailable(retryAfter: .seconds(20), until: .zero + .seconds(1))
        bench.post("m1", key: "k1").clientState = state
        bench.run(until: .seconds(5))
        bench.post("m1", key: "k1")
        #expect(bench.violations.isEmpty)
    }

    /// Refused until 20 s, known to the client at 3 s: what began at 2 s could not know, what began at 3 s could.
    @Test func `a request that began before the answer was there is not blamed, the next one is`() {
        let bench = bench()
        bench.server.setUnavailable(retryAfter: .seconds(20), until: .zero + .seconds(1))
        let refused = bench.post("m1", key: "k1")
        refused.clientState = .answered
        refused.clientAnswered = 3_000_000_000
        bench.run(until: .seconds(4))
        bench.post("m1", key: "k1", began: .seconds(2))
        #expect(bench.violations.isEmpty)
        bench.post("m1", key: "k1", began: .seconds(3))
        #expect(bench.violations.count == 1)
        #expect(bench.violations.first?.contains("16 s before the end") == true)
    }

    @Test func `who was told that the connection broke is not blamed`() {
        let bench = bench()
        bench.server.setUnavailable(retryAfter: .seconds(20), until: .zero + .seconds(1))
        bench.server.lost(bench.post("m1", key: "k1"))
        bench.run(until: .seconds(5))
        bench.post("m1", key: "k1")
        #expect(bench.violations.isEmpty)
    }

    @Test func `scripts strike by route, number, identity and times`() {
        let bench = bench()
        bench.server.add(ErrorScript(route: "POST /messages", nth: 2, status: 500, times: 2))
        bench.server.add(ErrorScript(identity: "poison", status: 422, times: nil))
        let ids = ["a", "b", "c", "poison", "d", "poison"]
        let answers = ids.enumerated().map { bench.post($1, key: "k\($0)").status }
        #expect(answers == [201, 500, 500, 422, 201, 422])
        #expect(bench.server.scriptStrikes == [2, 2])
        #expect(bench.effects.map(\.identity) == ["a", "d"])
    }

    @Test func `a script ends at its time, and tells each strike`() {
        let bench = bench()
        var strikes = 0
        let script = ErrorScript(route: "POST /messages", status: 503, times: nil)
        bench.server.add(script, until: .zero + .seconds(10)) { strikes += 1 }
        #expect(bench.post("a", key: "a").status == 503)
        bench.run(until: .seconds(10) - .nanoseconds(1))
        #expect(bench.post("b", key: "b").status == 503)
        bench.run(until: .seconds(10))
        #expect(bench.post("c", key: "c").status == 201)
        #expect(strikes == 2)
    }

    @Test func `a scripted 429 says how long to wait`() {
        let bench = bench()
        bench.server.add(ErrorScript(status: 429, retryAfter: .seconds(3)))
        #expect(bench.post("m1", key: "k1").field("Retry-After") == "3")
    }
}
