import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

@Suite struct UploadLockTests {
    @Test func `an upload is locked while a PATCH arrives and is thought about`() {
        let bench = ServerBench(.thinking(.milliseconds(100)))
        bench.create(100)
        bench.run(until: .seconds(1))
        let first = bench.openPatch("u1", offset: 0, length: 50)
        bench.server.receive(counting(0..<20), of: first)
        let during = bench.head("u1")
        bench.server.receive(counting(20..<50), of: first)
        bench.server.end(first)
        bench.run(until: .milliseconds(1_050))
        let thinking = bench.patch("u1", offset: 50, counting(50..<60))
        bench.run(until: .seconds(2))
        #expect(during.status == 423)
        #expect(thinking.status == 423)
        #expect(first.status == 204)
        bench.patch("u1", offset: 50, counting(50..<60))
        bench.run(until: .seconds(3))
        #expect(bench.server.uploadStates.first?.offset == .bytes(60))
    }

    @Test func `a broken PATCH holds the lock for as long as it takes to notice`() {
        var configuration = ServerConfiguration.immediate
        configuration.uploadLock = .seconds(30)
        let bench = ServerBench(configuration)
        bench.create(100)
        bench.breakPatch("u1", offset: 0, length: 50, after: counting(0..<20))
        #expect(bench.head("u1").status == 423)
        bench.run(until: .seconds(30) - .nanoseconds(1))
        #expect(bench.patch("u1", offset: 20, counting(20..<30)).status == 423)
        #expect(bench.send("DELETE", "/files/u1", [ServerBench.tus]).status == 423)
        bench.run(until: .seconds(30))
        #expect(bench.head("u1").field("Upload-Offset") == "20")
    }

    /// Sends a HEAD of the upload while the client waits for its own PATCH, which began at 20 s.
    private func violations(by began: Duration, isTheSame: Bool = false) -> [String] {
        let bench = ServerBench(.thinking(.milliseconds(100)))
        bench.create(100)
        bench.run(until: .seconds(1))
        let fields = [
            ServerBench.tus, ("Content-Type", "application/offset+octet-stream"),
            ("Upload-Offset", "0"),
        ]
        let patch = bench.open("PATCH", "/files/u1", fields, length: 50, began: .seconds(20))
        patch.clientState = .waiting
        bench.server.receive(counting(0..<50), of: patch)
        bench.server.end(patch)
        let head = bench.open(
            "HEAD",
            "/files/u1",
            [ServerBench.tus],
            began: began,
            again: isTheSame ? patch : nil
        )
        bench.server.end(head)
        bench.run(until: .seconds(2))
        #expect(head.status == 423)
        return bench.violations
    }

    @Test func `to disturb a PATCH of one's own is a violation, unless it was sent before it`() {
        #expect(violations(by: .seconds(21)).count == 1)
        #expect(violations(by: .seconds(19)) == [])
    }

    @Test func `what the transport sends again does not disturb itself`() {
        #expect(violations(by: .seconds(20), isTheSame: true) == [])
    }

    @Test func `without such a time the upload is free at once`() {
        let bench = ServerBench()
        bench.create(100)
        bench.breakPatch("u1", offset: 0, length: 50, after: counting(0..<20))
        #expect(bench.patch("u1", offset: 20, counting(20..<30)).status == 204)
    }

    @Test func `a body that stands still is given up after 30 s, and its bytes are kept`() {
        let bench = ServerBench()
        bench.create(100)
        let silent = bench.openPatch("u1", offset: 0, length: 50)
        bench.server.receive(counting(0..<10), of: silent)
        bench.run(until: .seconds(20))
        bench.server.receive(counting(10..<20), of: silent)
        // 30 s after the last byte, not after the first.
        bench.run(until: .seconds(50) - .nanoseconds(1))
        #expect(bench.head("u1").status == 423)
        bench.run(until: .seconds(50))
        #expect(silent.isAborted)
        #expect(bench.head("u1").field("Upload-Offset") == "20")
        bench.server.end(silent)
        #expect(silent.response == nil)
    }

    @Test func `a body that goes on is not given up`() {
        let bench = ServerBench()
        bench.create(100)
        let slow = bench.openPatch("u1", offset: 0, length: 100)
        for number in 0..<100 {
            bench.run(until: .seconds(number))
            bench.server.receive([UInt8(number)], of: slow)
        }
        bench.server.end(slow)
        #expect(slow.status == 204)
        #expect(!slow.isAborted)
    }

    @Test func `a newer request can take over, and what had arrived is kept`() {
        var configuration = ServerConfiguration.immediate
        configuration.newRequestsTakeOver = true
        let bench = ServerBench(configuration)
        bench.create(100)
        let old = bench.openPatch("u1", offset: 0, length: 50)
        bench.server.receive(counting(0..<20), of: old)
        #expect(bench.head("u1").field("Upload-Offset") == "20")
        #expect(old.isAborted)
        #expect(bench.patch("u1", offset: 20, counting(20..<100)).status == 204)
        let digest = ContentDigest(of: counting(0..<100)).value
        #expect(bench.uploadEvents.last == .completed(digest: digest))
    }

    @Test func `a PATCH that is whole is not taken over`() {
        var configuration = ServerConfiguration.thinking(.milliseconds(100))
        configuration.newRequestsTakeOver = true
        let bench = ServerBench(configuration)
        bench.create(100)
        bench.run(until: .seconds(1))
        let whole = bench.patch("u1", offset: 0, counting(0..<50))
        let next = bench.head("u1")
        bench.run(until: .seconds(2))
        #expect(next.status == 423)
        #expect(whole.status == 204)
    }

    @Test func `an upload does not expire while it is appended to`() {
        var configuration = ServerConfiguration.immediate
        configuration.uploadsLive = .seconds(10)
        let bench = ServerBench(configuration)
        bench.create(100)
        let slow = bench.openPatch("u1", offset: 0, length: 50)
        bench.server.receive(counting(0..<10), of: slow)
        bench.run(until: .seconds(15))
        #expect(bench.head("u1").status == 423)
        bench.server.receive(counting(10..<50), of: slow)
        bench.server.end(slow)
        #expect(bench.head("u1").field("Upload-Offset") == "50")
    }
}
