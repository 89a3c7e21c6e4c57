import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

/// Requests that carry several effects.
@Suite struct BatchTests {
    private static func body(_ ids: String...) -> [UInt8] {
        let events = ids.map { #"{"id":"\#($0)","conversation":"c-\#($0)"}"# }
        return Array(#"{"batch":[\#(events.joined(separator: ","))]}"#.utf8)
    }

    private static func bench(_ scripts: ErrorScript...) -> ServerBench {
        let bench = ServerBench()
        bench.server.acceptStandardRoutes()
        for script in scripts { bench.server.add(script) }
        return bench
    }

    @Test func `each of a batch takes effect, and the whole once by its key`() {
        let bench = Self.bench()
        for _ in 1...2 {
            let exchange = bench.send(
                "POST",
                "/messages/batch",
                [("Idempotency-Key", "\"k1\"")],
                body: Self.body("a", "b")
            )
            #expect(exchange.status == 201)
            #expect(exchange.text == #"{"ids":["a","b"]}"#)
        }
        #expect(bench.effects.map(\.identity) == ["a", "b"])
        #expect(bench.effects.map(\.entity) == ["c-a", "c-b"])
        #expect(bench.effects.map(\.route) == ["POST /messages/batch", "POST /messages/batch"])
        #expect(bench.violations.isEmpty)
    }

    @Test func `one that is refused refuses them all, and a script counts the batch once`() {
        let bench = Self.bench(
            ErrorScript(identity: "b", status: 400, times: nil),
            ErrorScript(nth: 3, status: 503)
        )
        let answers = [Self.body("a", "b", "c"), Self.body("a"), Self.body("c"), Self.body("d")]
            .enumerated().map { number, body in
                bench.send(
                    "POST",
                    "/messages/batch",
                    [("Idempotency-Key", "\"k\(number)\"")],
                    body: body
                ).status
            }
        #expect(answers == [400, 201, 503, 201])
        #expect(bench.effects.map(\.identity) == ["a", "d"])
    }

    @Test(arguments: [
        #"{"batch":[]}"#, #"{"events":[{"id":"a"}]}"#, #"{"batch":[{"id":"a"},{"name":"b"}]}"#,
    ])
    func `a batch without what identifies each is against the contract`(text: String) {
        let bench = Self.bench()
        let exchange = bench.send(
            "POST",
            "/messages/batch",
            [("Idempotency-Key", "\"k1\"")],
            body: Array(text.utf8)
        )
        #expect(exchange.status == 400)
        #expect(bench.effects.isEmpty)
        #expect(bench.violations.count == 1)
    }
}
