import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

/// draft-ietf-httpapi-idempotency-key-header-07, 2.6 (scenarios) and 2.7 (errors).
@Suite struct IdempotencyKeyTests {
    private func bench(_ configuration: ServerConfiguration = .immediate) -> ServerBench {
        let bench = ServerBench(configuration)
        bench.server.acceptStandardRoutes()
        return bench
    }

    @Test func `a key that is missing where it is required is 400`() {
        let bench = bench()
        #expect(bench.post("m1", key: nil).status == 400)
        #expect(bench.effects.isEmpty)
        #expect(bench.violations.count == 1)
    }

    @Test func `the same key with another payload is 422`() {
        let bench = bench()
        #expect(bench.post("m1", key: "k", text: "one").status == 201)
        #expect(bench.post("m1", key: "k", text: "two").status == 422)
        #expect(bench.effects.count == 1)
        #expect(bench.violations.count == 1)
    }

    @Test func `the same key while the first runs is 409, at once`() {
        let bench = bench(.thinking(.milliseconds(100)))
        let first = bench.post("m1", key: "k")
        bench.run(until: .milliseconds(30))
        let second = bench.post("m1", key: "k")
        #expect(second.status == 409)
        bench.run(until: .seconds(1))
        #expect(first.status == 201)
        #expect(bench.effects.count == 1)
        // Nobody knows whether the client still waits, so it is not blamed.
        #expect(bench.violations.isEmpty)
    }

    @Test func `repeating while still waiting for the first is a violation`() {
        let bench = bench(.thinking(.milliseconds(100)))
        bench.post("m1", key: "k").clientState = .waiting
        #expect(bench.post("m1", key: "k").status == 409)
        #expect(bench.violations.count == 1)
    }

    @Test func `repeating after giving the first up is none`() {
        let bench = bench(.thinking(.milliseconds(100)))
        bench.post("m1", key: "k").clientState = .gone
        #expect(bench.post("m1", key: "k").status == 409)
        #expect(bench.violations.isEmpty)
    }

    // Out of the buffers of a process that died, after the request of the next one.
    @Test func `a request that was sent before the first one and comes late is none`() {
        let bench = bench(.thinking(.milliseconds(100)))
        bench.post("m1", key: "k", began: .seconds(20)).clientState = .waiting
        #expect(bench.post("m1", key: "k", began: .seconds(10)).status == 409)
        #expect(bench.violations.isEmpty)
        #expect(bench.post("m1", key: "k", began: .seconds(21)).status == 409)
        #expect(bench.violations.count == 1)
    }

    // A connection that fails before the answer: what is idempotent is sent again (RFC 9110, 9.2.2).
    @Test func `a request that the transport sends again on a new connection is none`() {
        let bench = bench(.thinking(.milliseconds(100)))
        let first = bench.post("m1", key: "k", began: .seconds(20))
        first.clientState = .waiting
        #expect(bench.post("m1", key: "k", began: .seconds(20), again: first).status == 409)
        #expect(bench.violations.isEmpty)
    }

    @Test func `a result is replayed for as long as keys live, counted from the first use`() {
        var configuration = ServerConfiguration.immediate
        configuration.idempotencyKeysLive = .seconds(3_600)
        let bench = bench(configuration)
        bench.post("m1", key: "k")
        bench.run(until: .seconds(3_600) - .nanoseconds(1))
        #expect(bench.post("m1", key: "k").status == 201)
        #expect(bench.effects.count == 1)
        bench.run(until: .seconds(3_600))
        #expect(bench.post("m1", key: "k").status == 201)
        // A queue that was offline for longer than that has sent its message twice.
        #expect(bench.effects.map(\.occurrence) == [1, 2])
    }

    @Test func `an error that came of processing is replayed too`() {
        let bench = bench()
        bench.server.add(ErrorScript(identity: "m1", status: 500, stage: .insteadOfEffect))
        #expect(bench.post("m1", key: "k").status == 500)
        #expect(bench.post("m1", key: "k").status == 500)
        #expect(bench.effects.isEmpty)
        #expect(bench.post("m1", key: "other").status == 201)
    }

    @Test func `an error after the effect is replayed, and the effect stays`() {
        let bench = bench()
        bench.server.add(ErrorScript(identity: "m1", status: 500, stage: .afterEffect))
        #expect(bench.post("m1", key: "k").status == 500)
        #expect(bench.post("m1", key: "k").status == 500)
        #expect(bench.effects.count == 1)
        #expect(bench.post("m1", key: "fresh").status == 201)
        #expect(bench.effects.map(\.occurrence) == [1, 2])
    }

    @Test func `an error ahead of the service leaves the key free`() {
        let bench = bench()
        bench.server.add(ErrorScript(identity: "m1", status: 502))
        #expect(bench.post("m1", key: "k").status == 502)
        #expect(bench.post("m1", key: "k").status == 201)
        #expect(bench.effects.count == 1)
    }

    @Test(arguments: ["k", "\"k", "k\"", "\"\"", "\"a\"b\"", "\"k\", \"j\""])
    func `a key that is no string in quotes is 400`(value: String) {
        let bench = bench()
        let body = Array(#"{"id":"m1","conversation":"c"}"#.utf8)
        let exchange = bench.send("POST", "/messages", [("Idempotency-Key", value)], body: body)
        #expect(exchange.status == 400)
        #expect(bench.violations.count == 1)
        #expect(bench.effects.isEmpty)
    }

    @Test func `two keys in one request are 400, whatever their case`() {
        let bench = bench()
        let body = Array(#"{"id":"m1","conversation":"c"}"#.utf8)
        let fields = [("Idempotency-Key", "\"a\""), ("idempotency-key", "\"a\"")]
        #expect(bench.send("POST", "/messages", fields, body: body).status == 400)
        #expect(bench.violations.count == 1)
    }

    @Test func `255 characters are a key and 256 are not`() {
        let bench = bench()
        #expect(bench.post("m1", key: String(repeating: "k", count: 255)).status == 201)
        #expect(bench.post("m2", key: String(repeating: "k", count: 256)).status == 400)
    }

    @Test func `a route that ignores keys takes effect every time`() {
        let bench = ServerBench()
        bench.server.accept("POST /messages", identity: .json("id"), key: .ignored)
        bench.post("m1", key: "k")
        bench.post("m1", key: "k")
        #expect(bench.effects.map(\.occurrence) == [1, 2])
    }

    @Test func `keys are known across devices`() {
        // A phone restored from another's backup repeats its keys.
        let bench = bench()
        let body = Array(#"{"id":"m1","conversation":"c"}"#.utf8)
        let fields = [("Idempotency-Key", "\"k\"")]
        bench.send("POST", "/messages", fields, body: body, device: 0)
        #expect(bench.send("POST", "/messages", fields, body: body, device: 1).status == 201)
        #expect(bench.effects.count == 1)
    }

    @Test func `old keys are forgotten in bulk without harm to young ones`() {
        var configuration = ServerConfiguration.immediate
        configuration.idempotencyKeysLive = .seconds(10)
        let bench = bench(configuration)
        for number in 0..<3_000 {
            bench.run(until: .milliseconds(number * 10))
            bench.post("m\(number)", key: "k\(number)")
        }
        // At 29.99 s the keys since 19.99 s live: k2000 (at 20 s) does, k1999 (19.99 s) does not.
        bench.post("m2000", key: "k2000")
        bench.post("m1999", key: "k1999")
        #expect(bench.server.occurrences(of: "m2000", on: "POST /messages") == 1)
        #expect(bench.server.occurrences(of: "m1999", on: "POST /messages") == 2)
    }
}
