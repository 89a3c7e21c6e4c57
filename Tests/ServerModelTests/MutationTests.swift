import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

@Suite struct MutationTests {
    @Test func `a message takes effect once and is answered with its id`() {
        let bench = ServerBench()
        bench.server.acceptStandardRoutes()
        let exchange = bench.post("m1", key: "k1")
        #expect(exchange.status == 201)
        #expect(exchange.text == #"{"id":"m1"}"#)
        #expect(exchange.field("content-type") == "application/json")
        #expect(exchange.field("Date") == "Mon, 05 Jan 2026 08:00:00 GMT")
        #expect(bench.effects.map(\.identity) == ["m1"])
        #expect(bench.effects.map(\.entity) == ["c1"])
        #expect(bench.effects.map(\.route) == ["POST /messages"])
        #expect(bench.effects.map(\.request) == [1])
        #expect(bench.violations.isEmpty)
        #expect(bench.server.log.map(\.outcome) == ["m1 took effect"])
    }

    @Test func `the effect comes at the end of thinking, before the answer is lost`() {
        let bench = ServerBench(.thinking(.milliseconds(100)))
        bench.server.acceptStandardRoutes()
        let exchange = bench.post("m1", key: "k1")
        bench.simulation.schedule(at: .zero + .milliseconds(50)) { bench.server.lost(exchange) }
        bench.run(until: .milliseconds(99))
        #expect(bench.effects.isEmpty)
        bench.run(until: .milliseconds(100))
        // The request arrived, so it is done; only the answer has nowhere to go.
        #expect(bench.effects.count == 1)
        #expect(exchange.response == nil)
        #expect(bench.notes.map(\.status) == [201])
        // The same again with its key: the stored result, and no second effect.
        let again = bench.post("m1", key: "k1")
        bench.run(until: .seconds(1))
        #expect(again.status == 201)
        #expect(again.text == #"{"id":"m1"}"#)
        #expect(bench.effects.count == 1)
    }

    @Test func `a request that is lost before its end has no effect`() {
        let bench = ServerBench()
        bench.server.acceptStandardRoutes()
        let body = Array(#"{"id":"m1","conversation":"c"}"#.utf8)
        let exchange = bench.open(
            "POST",
            "/messages",
            [("Idempotency-Key", "\"k1\"")],
            length: body.count
        )
        bench.server.receive(Array(body.prefix(10)), of: exchange)
        bench.server.lost(exchange)
        bench.server.end(exchange)
        bench.run(until: .seconds(60))
        #expect(bench.effects.isEmpty)
        #expect(exchange.response == nil)
        #expect(bench.server.log.map(\.status) == [0])
        // Its key was never taken: the retry is the first.
        #expect(bench.post("m1", key: "k1").status == 201)
        #expect(bench.effects.map(\.occurrence) == [1])
    }

    @Test func `effects of one identity are counted`() {
        let bench = ServerBench()
        bench.server.acceptStandardRoutes()
        for key in ["k1", "k2", "k3"] { bench.post("m1", key: key) }
        bench.post("m2", key: "k4")
        #expect(bench.effects.map(\.occurrence) == [1, 2, 3, 1])
        #expect(bench.server.occurrences(of: "m1", on: "POST /messages") == 3)
        #expect(bench.server.occurrences(of: "m3", on: "POST /messages") == 0)
    }

    @Test func `a PUT that repeats the present state changes nothing`() {
        let bench = ServerBench()
        bench.server.acceptStandardRoutes()
        func put(_ id: String, _ liked: Bool) -> Int? {
            let body = Array(#"{"id":"\#(id)","liked":\#(liked)}"#.utf8)
            return bench.send("PUT", "/likes/p7", body: body).status
        }
        // t1 twice is one effect; t1 again after t2 takes the state back: that is a second one.
        #expect(
            [put("t1", true), put("t1", true), put("t2", false), put("t1", true)]
                == [200, 200, 200, 200]
        )
        #expect(bench.effects.map(\.identity) == ["t1", "t2", "t1"])
        #expect(bench.effects.map(\.occurrence) == [1, 1, 2])
        #expect(bench.effects.map(\.entity) == ["p7", "p7", "p7"])
        #expect(bench.effects.map(\.route) == ["PUT /likes/*", "PUT /likes/*", "PUT /likes/*"])
    }

    @Test func `identity is read from body, header or path`() {
        let bench = ServerBench()
        bench.server.accept("POST /orders", identity: .header("X-Order"), entity: .json("shop"))
        bench.server.accept("DELETE /orders/*", identity: .segment(2))
        let order = bench.send(
            "POST",
            "/orders?trace=1",
            [("x-order", "o1")],
            body: Array(#"{"shop":3}"#.utf8)
        )
        let removal = bench.send("DELETE", "/orders/o1")
        #expect(order.status == 201)
        #expect(removal.status == 204)
        #expect(removal.response?.body.isEmpty == true)
        #expect(bench.effects.map(\.identity) == ["o1", "o1"])
        #expect(bench.effects.map(\.entity) == ["3", ""])
    }

    @Test func `an identity with a quote is answered as valid JSON`() {
        let bench = ServerBench()
        bench.server.accept("POST /x", identity: .json("id"))
        let exchange = bench.send("POST", "/x", body: Array(#"{"id":"a\"\\\u0001"}"#.utf8))
        #expect(exchange.text == #"{"id":"a\"\\\u0001"}"#)
    }

    @Test func `unknown paths are 404 and wrong methods 405 with Allow`() {
        let bench = ServerBench()
        bench.server.acceptStandardRoutes()
        bench.server.serve("GET /likes/*", with: HTTPResponseMessage(status: 200))
        #expect(bench.send("GET", "/nothing").status == 404)
        let wrong = bench.send("DELETE", "/likes/p7")
        #expect(wrong.status == 405)
        #expect(wrong.field("Allow") == "PUT, GET")
        #expect(bench.notes.map(\.route) == ["GET (no such route)", "DELETE (no such route)"])
    }

    @Test func `a body longer than the limit is 413 and is not kept`() {
        var configuration = ServerConfiguration.immediate
        configuration.maximumMutationSize = .bytes(64)
        let bench = ServerBench(configuration)
        bench.server.acceptStandardRoutes()
        #expect(bench.post("m1", key: "k", text: String(repeating: "x", count: 64)).status == 413)
        #expect(bench.effects.isEmpty)
    }

    @Test func `a fixed resource is served, without a body to HEAD`() {
        let bench = ServerBench()
        let response = HTTPResponseMessage(
            status: 200,
            fields: HTTPFieldList([("ETag", "\"1\"")]),
            body: [1, 2, 3]
        )
        bench.server.serve("GET /feed", with: response)
        bench.server.serve("HEAD /feed", with: response)
        #expect(bench.send("GET", "/feed?cursor=secret").response?.body == [1, 2, 3])
        #expect(bench.send("HEAD", "/feed").response?.body == [])
        #expect(bench.notes.map(\.route) == ["GET /feed", "HEAD /feed"])
    }

    @Test func `thinking is drawn by device and place, so a further request moves no other`() {
        var configuration = ServerConfiguration()
        configuration.think = QuantityRange(.milliseconds(40), .milliseconds(120))
        func answers(_ routes: [String]) -> [Duration] {
            let bench = ServerBench(configuration, seed: 7)
            bench.server.serve("GET /a", with: HTTPResponseMessage(status: 200))
            bench.server.serve("GET /b", with: HTTPResponseMessage(status: 200))
            let exchanges = routes.map { bench.send("GET", $0) }
            bench.run(until: .seconds(1))
            return exchanges.filter { $0.head.target == "/a" }
                .compactMap { $0.answered.map { $0 - .zero } }
        }
        let alone = answers(["/a", "/a"])
        #expect(alone.allSatisfy { (.milliseconds(40) ... .milliseconds(120)).contains($0) })
        #expect(alone.count == 2 && alone[0] != alone[1])
        #expect(answers(["/b", "/a", "/b", "/a"]) == alone)
    }

    @Test func `the log keeps its newest lines`() {
        let bench = ServerBench()
        bench.server.serve("GET /a", with: HTTPResponseMessage(status: 200))
        bench.server.logLimit = 10
        for _ in 0..<25 { bench.send("GET", "/a") }
        #expect(bench.server.log.count <= 10)
        #expect(bench.server.log.last?.request == 25)
    }

    #if !os(iOS)
    @Test func `a route that is none traps with the sentence`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            ServerBench().server.accept("messages", identity: .json("id"))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'messages' is not a route"))
    }
    #endif
}
