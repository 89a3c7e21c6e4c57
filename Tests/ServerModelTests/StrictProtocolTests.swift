import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

/// Every rule that a client can break, each with its answer and the source that is named.
@Suite struct StrictProtocolTests {
    struct Rule: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        var source: String
        var breach: @Sendable (ServerBench) -> BenchExchange
    }

    static let rules: [Rule] = [
        Rule(testDescription: "no Tus-Resumable to HEAD", status: 412, source: "tus 1.0.0") {
            $0.send("HEAD", "/files/u1")
        },
        Rule(testDescription: "another version", status: 412, source: "tus 1.0.0") {
            $0.send("POST", "/files", [("Tus-Resumable", "0.2.2"), ("Upload-Length", "5")])
        },
        Rule(testDescription: "no Upload-Length", status: 400, source: "Creation") {
            $0.send("POST", "/files", [ServerBench.tus])
        },
        Rule(testDescription: "negative Upload-Length", status: 400, source: "Creation") {
            $0.send("POST", "/files", [ServerBench.tus, ("Upload-Length", "-1")])
        },
        Rule(testDescription: "Upload-Length with a sign", status: 400, source: "Creation") {
            $0.send("POST", "/files", [ServerBench.tus, ("Upload-Length", "+5")])
        },
        Rule(testDescription: "deferred length", status: 400, source: "Tus-Extension") {
            $0.send("POST", "/files", [ServerBench.tus, ("Upload-Defer-Length", "1")])
        },
        Rule(testDescription: "malformed metadata", status: 400, source: "Upload-Metadata") {
            $0.create(5, filename: nil, fields: [("Upload-Metadata", "filename x")])
        },
        Rule(testDescription: "creation with a body", status: 400, source: "Creation With Upload") {
            $0.send("POST", "/files", [ServerBench.tus, ("Upload-Length", "5")], body: [1])
        },
        Rule(testDescription: "wrong content type", status: 415, source: "tus 1.0.0, PATCH") {
            $0.send(
                "PATCH",
                "/files/u1",
                [ServerBench.tus, ("Upload-Offset", "0"), ("Content-Type", "image/jpeg")],
                body: [1]
            )
        },
        Rule(testDescription: "no Upload-Offset", status: 400, source: "tus 1.0.0, PATCH") {
            $0.send(
                "PATCH",
                "/files/u1",
                [ServerBench.tus, ("Content-Type", "application/offset+octet-stream")],
                body: [1]
            )
        },
        Rule(testDescription: "beyond Upload-Length", status: 413, source: "Upload-Length") {
            $0.patch("u1", offset: 0, counting(0..<101))
        },
        Rule(testDescription: "malformed checksum", status: 400, source: "Checksum") {
            $0.patch("u1", offset: 0, [1], fields: [("Upload-Checksum", "sha1 AAAA")])
        },
        Rule(testDescription: "unknown algorithm", status: 400, source: "Checksum") {
            $0.patch("u1", offset: 0, [1], fields: [("Upload-Checksum", "md4 AAAA")])
        },
        Rule(testDescription: "two PATCHes at once", status: 423, source: "Concurrency") {
            $0.openPatch("u1", offset: 0, length: 9).clientState = .waiting
            return $0.patch("u1", offset: 0, [1])
        },
        Rule(testDescription: "no key", status: 400, source: "idempotency-key-header-07, 2.7") {
            $0.post("m1", key: nil)
        },
        Rule(testDescription: "malformed key", status: 400, source: "RFC 8941, 3.3.3") {
            $0.send(
                "POST",
                "/messages",
                [("Idempotency-Key", "k")],
                body: Array(#"{"id":"m","conversation":"c"}"#.utf8)
            )
        },
        Rule(testDescription: "key reused", status: 422, source: "idempotency-key-header-07, 2.2") {
            $0.post("m1", key: "k")
            return $0.post("m2", key: "k")
        },
        Rule(testDescription: "no JSON", status: 400, source: "RFC 8259") {
            $0.send("POST", "/messages", [("Idempotency-Key", "\"k\"")], body: [0x7B])
        },
        Rule(testDescription: "no identity", status: 400, source: "contract of this route") {
            $0.send("POST", "/messages", [("Idempotency-Key", "\"k\"")], body: Array("{}".utf8))
        },
        Rule(testDescription: "impatience", status: 201, source: "RFC 9110, 10.2.3") {
            $0.server.setUnavailable(retryAfter: .seconds(9), until: .zero + .seconds(1))
            $0.post("m1", key: "k").clientState = .answered
            $0.run(until: .seconds(2))
            return $0.post("m1", key: "k")
        },
    ]

    @Test(arguments: rules)
    func `a breach is answered as the standard says, reported once and named`(rule: Rule) {
        let bench = ServerBench()
        bench.server.acceptStandardRoutes()
        bench.create(100)
        #expect(bench.violations.isEmpty)
        #expect(rule.breach(bench).status == rule.status)
        #expect(bench.violations.count == 1)
        #expect(bench.violations.first?.contains(rule.source) == true)
        #expect(bench.server.uploadStates.count == 1)
        #expect(bench.server.uploadStates.first?.offset == .zero)
    }

    @Test func `a violation names its route and device and no identifier`() {
        let bench = ServerBench()
        bench.create(5)
        bench.send("HEAD", "/files/u1?secret=1", device: 3)
        let record = bench.records.first {
            if case .protocolViolation = $0.observation { true } else { false }
        }
        #expect(record?.device == 3)
        guard case .protocolViolation(let violation)? = record?.observation else {
            Issue.record("no violation")
            return
        }
        #expect(violation.route == "HEAD /files/*")
        #expect(!violation.rule.contains("u1") && !violation.rule.contains("secret"))
    }

    @Test func `a client that keeps to the rules through every fault is never blamed`() {
        var configuration = ServerConfiguration.thinking(.milliseconds(80))
        configuration.uploadLock = .seconds(2)
        let bench = ServerBench(configuration)
        bench.server.acceptStandardRoutes()
        bench.create(100)
        bench.run(until: .seconds(1))
        let lost = bench.post("m1", key: "k")
        lost.clientState = .gone
        bench.server.lost(lost)
        bench.post("m1", key: "k")
        bench.breakPatch("u1", offset: 0, length: 50, after: counting(0..<20)).clientState = .gone
        bench.head("u1")
        bench.run(until: .seconds(3))
        bench.server.setUnavailable(retryAfter: .seconds(2), until: .zero + .seconds(4))
        let refused = bench.patch("u1", offset: 20, counting(20..<100))
        refused.clientState = .answered
        #expect(refused.status == 503)
        bench.run(until: .seconds(5))
        bench.patch("u1", offset: 20, counting(20..<100))
        bench.run(until: .seconds(6))
        #expect(bench.server.uploadStates.first?.phase == "complete")
        #expect(bench.effects.count == 1)
        #expect(bench.violations.isEmpty)
    }
}
