import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

/// tus 1.0.0 (2016-03-25), the good way and every status.
@Suite struct TusUploadTests {
    @Test func `an upload is created, appended to in pieces and completed`() {
        let bench = ServerBench()
        let creation = bench.create(100)
        #expect(creation.status == 201)
        #expect(creation.field("Location") == "/files/u1")
        #expect(creation.field("Tus-Resumable") == "1.0.0")
        // The numbers of the protocol's own example: 70 of 100 bytes, then the remaining 30.
        let first = bench.patch("u1", offset: 0, counting(0..<70))
        #expect(first.status == 204)
        #expect(first.field("Upload-Offset") == "70")
        let status = bench.head("u1")
        #expect(status.status == 200)
        #expect(status.field("Upload-Offset") == "70")
        #expect(status.field("Upload-Length") == "100")
        #expect(status.field("Cache-Control") == "no-store")
        #expect(status.field("Upload-Metadata") == "filename ZjE=")
        #expect(status.field("Tus-Resumable") == "1.0.0")
        let second = bench.patch("u1", offset: 70, counting(70..<100))
        #expect(second.field("Upload-Offset") == "100")
        let digest = ContentDigest(of: counting(0..<100)).value
        #expect(
            bench.uploadEvents == [
                .created(length: .bytes(100)), .appended(offset: .bytes(70)),
                .appended(offset: .bytes(100)), .completed(digest: digest),
            ]
        )
        #expect(bench.violations.isEmpty)
        let state = bench.server.uploadStates.first
        #expect(state?.identity == "f1")
        #expect(state?.phase == "complete")
        #expect(state?.digest == digest)
    }

    @Test func `what the server offers is told to OPTIONS without Tus-Resumable`() {
        var configuration = ServerConfiguration.immediate
        configuration.maximumUploadSize = .bytes(1_000)
        configuration.uploadsLive = .seconds(60)
        let bench = ServerBench(configuration)
        let exchange = bench.send("OPTIONS", "/files")
        #expect(exchange.status == 204)
        #expect(exchange.field("Tus-Version") == "1.0.0")
        #expect(exchange.field("Tus-Max-Size") == "1000")
        #expect(exchange.field("Tus-Extension") == "creation,termination,expiration,checksum")
        #expect(exchange.field("Tus-Checksum-Algorithm") == "sha1")
        #expect(bench.violations.isEmpty)
    }

    @Test func `an upload of nothing is complete as it is created`() {
        let bench = ServerBench()
        #expect(bench.create(0).status == 201)
        let digest = ContentDigest().value
        #expect(bench.uploadEvents == [.created(length: .zero), .completed(digest: digest)])
    }

    @Test func `a creation with a known key gives the same address again`() {
        let bench = ServerBench()
        let key = [("Idempotency-Key", "\"k\"")]
        #expect(bench.create(10, fields: key).field("Location") == "/files/u1")
        let again = bench.create(10, fields: key)
        #expect(again.status == 201)
        #expect(again.field("Location") == "/files/u1")
        #expect(bench.create(11, fields: key).status == 422)
        #expect(bench.create(10).field("Location") == "/files/u2")
        #expect(bench.server.uploadStates.count == 2)
    }

    @Test func `a creation whose answer is lost is done`() {
        let bench = ServerBench(.thinking(.milliseconds(10)))
        let exchange = bench.create(10)
        bench.server.lost(exchange)
        bench.run(until: .seconds(1))
        #expect(exchange.response == nil)
        #expect(bench.uploadEvents == [.created(length: .bytes(10))])
    }

    @Test func `another offset than the upload's is 409 and takes nothing`() {
        let bench = ServerBench()
        bench.create(10)
        bench.patch("u1", offset: 0, counting(0..<4))
        for offset in [0, 3, 5, 10] {
            #expect(bench.patch("u1", offset: offset, []).status == 409)
        }
        #expect(bench.head("u1").field("Upload-Offset") == "4")
        // A client may be behind: that is what HEAD is for, and no violation.
        #expect(bench.violations.isEmpty)
    }

    @Test func `an upload that never was is 404`() {
        let bench = ServerBench()
        for method in ["HEAD", "PATCH", "DELETE"] {
            let exchange = bench.send(method, "/files/u9", [ServerBench.tus])
            #expect(exchange.status == 404)
            #expect(exchange.field("Tus-Resumable") == "1.0.0")
            #expect(exchange.field("Upload-Offset") == nil)
        }
        #expect(bench.send("PUT", "/files/u9", [ServerBench.tus]).status == 405)
        #expect(bench.send("PATCH", "/files", [ServerBench.tus]).status == 405)
        #expect(bench.send("GET", "/files/a/b", [ServerBench.tus]).status == 404)
    }

    @Test func `a terminated upload is 410`() {
        let bench = ServerBench()
        bench.create(10)
        #expect(bench.send("DELETE", "/files/u1", [ServerBench.tus]).status == 204)
        #expect(bench.head("u1").status == 410)
        #expect(bench.patch("u1", offset: 0, [1]).status == 410)
        #expect(bench.uploadEvents.last == .terminated)
    }

    @Test func `an unfinished upload expires after its last append and is 410`() {
        var configuration = ServerConfiguration.immediate
        configuration.uploadsLive = .seconds(60)
        let bench = ServerBench(configuration)
        // 08:00:00 and 60 s.
        #expect(bench.create(10).field("Upload-Expires") == "Mon, 05 Jan 2026 08:01:00 GMT")
        bench.run(until: .seconds(50))
        let append = bench.patch("u1", offset: 0, counting(0..<4))
        #expect(append.field("Upload-Expires") == "Mon, 05 Jan 2026 08:01:50 GMT")
        bench.run(until: .seconds(110) - .nanoseconds(1))
        #expect(bench.head("u1").status == 200)
        bench.run(until: .seconds(110))
        #expect(bench.head("u1").status == 410)
        #expect(bench.head("u1").status == 410)
        #expect(bench.uploadEvents.filter { $0 == .expired }.count == 1)
    }

    @Test func `a finished upload does not expire`() {
        var configuration = ServerConfiguration.immediate
        configuration.uploadsLive = .seconds(60)
        let bench = ServerBench(configuration)
        bench.create(4)
        bench.patch("u1", offset: 0, counting(0..<4))
        bench.run(until: .seconds(600))
        let status = bench.head("u1")
        #expect(status.status == 200)
        #expect(status.field("Upload-Expires") == nil)
    }

    @Test func `uploads and chunks beyond the limits are 413, without blame`() {
        var configuration = ServerConfiguration.immediate
        configuration.maximumUploadSize = .bytes(100)
        configuration.maximumChunkSize = .bytes(10)
        let bench = ServerBench(configuration)
        #expect(bench.create(101).status == 413)
        #expect(bench.create(100).status == 201)
        #expect(bench.patch("u1", offset: 0, counting(0..<11)).status == 413)
        #expect(bench.patch("u1", offset: 0, counting(0..<10)).status == 204)
        #expect(bench.head("u1").field("Upload-Offset") == "10")
        #expect(bench.violations.isEmpty)
    }

    @Test func `a chunk whose checksum matches is kept, another is 460 and discarded`() {
        let bench = ServerBench()
        bench.create(6)
        // SHA-1 of "abc" (FIPS 180-4) in base64: qZk+NkcGgWq6PiVxeFDCbJzQ2J0=.
        let good = [("Upload-Checksum", "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=")]
        let bad = bench.patch("u1", offset: 0, Array("abd".utf8), fields: good)
        #expect(bad.status == 460)
        #expect(bench.head("u1").field("Upload-Offset") == "0")
        #expect(bench.patch("u1", offset: 0, Array("abc".utf8), fields: good).status == 204)
        bench.patch("u1", offset: 3, Array("xyz".utf8))
        let digest = ContentDigest(of: Array("abcxyz".utf8)).value
        #expect(bench.uploadEvents.last == .completed(digest: digest))
    }

    @Test func `a part of a chunk with a checksum is discarded, for nobody can verify it`() {
        let bench = ServerBench()
        bench.create(6)
        let fields = [("Upload-Checksum", "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=")]
        bench.breakPatch("u1", offset: 0, length: 3, after: Array("ab".utf8), fields: fields)
        #expect(bench.head("u1").field("Upload-Offset") == "0")
    }

    @Test func `the method may be overridden`() {
        let bench = ServerBench()
        bench.create(4)
        let exchange = bench.open(
            "POST",
            "/files/u1",
            [
                ServerBench.tus, ("X-HTTP-Method-Override", "PATCH"), ("Upload-Offset", "0"),
                ("Content-Type", "application/offset+octet-stream"),
            ],
            length: 4
        )
        bench.server.receive(counting(0..<4), of: exchange)
        bench.server.end(exchange)
        #expect(exchange.status == 204)
        #expect(bench.notes.last?.route == "PATCH /files/*")
        #expect(bench.server.uploadStates.first?.phase == "complete")
    }

    @Test func `a scripted error ahead of a PATCH keeps nothing of it`() {
        let bench = ServerBench()
        bench.create(8)
        bench.server.add(ErrorScript(route: "PATCH /files/*", status: 500))
        #expect(bench.patch("u1", offset: 0, counting(0..<4)).status == 500)
        #expect(bench.head("u1").field("Upload-Offset") == "0")
        bench.server.add(ErrorScript(route: "PATCH /files/*", status: 500, stage: .afterEffect))
        #expect(bench.patch("u1", offset: 0, counting(0..<4)).status == 500)
        #expect(bench.head("u1").field("Upload-Offset") == "4")
    }

    @Test func `an outage refuses a chunk and keeps nothing of it`() {
        let bench = ServerBench()
        bench.create(8)
        bench.server.setUnavailable(retryAfter: .seconds(1), until: .zero + .seconds(1))
        #expect(bench.patch("u1", offset: 0, counting(0..<4)).status == 503)
        bench.run(until: .seconds(1))
        #expect(bench.head("u1").field("Upload-Offset") == "0")
    }
}
