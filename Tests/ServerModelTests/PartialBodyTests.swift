import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

@Suite struct PartialBodyTests {
    private func bench(_ mode: PartialBodies) -> ServerBench {
        var configuration = ServerConfiguration.immediate
        configuration.partialBodies = mode
        let bench = ServerBench(configuration)
        bench.create(100)
        bench.patch("u1", offset: 0, counting(0..<30))
        return bench
    }

    // 30 bytes are confirmed; a PATCH of 50 breaks after 25 of them arrived. Kept: 30 + 25. None:
    // 30. The first 10: 30 + 10. The first 40: all 25. Blocks of 20: 55 falls to 40. Blocks of 16:
    // to 48. Blocks of 60: to 0, below what was confirmed.
    @Test(arguments: [
        (PartialBodies.kept, 55), (.none, 30), (.first(.bytes(10)), 40), (.first(.bytes(40)), 55),
        (.first(.zero), 30), (.rolledBack(toBlocksOf: .bytes(20)), 40),
        (.rolledBack(toBlocksOf: .bytes(16)), 48), (.rolledBack(toBlocksOf: .bytes(60)), 0),
        (.rolledBack(toBlocksOf: .bytes(55)), 55),
    ])
    func `a broken PATCH leaves what the server would keep`(mode: PartialBodies, offset: Int) {
        let bench = bench(mode)
        bench.breakPatch("u1", offset: 30, length: 50, after: counting(30..<55))
        #expect(bench.head("u1").field("Upload-Offset") == String(offset))
        #expect(bench.uploadEvents.last == .appended(offset: .bytes(Int64(offset))))
        // The digest is that of the bytes that are left, so the rest completes it.
        bench.patch("u1", offset: offset, counting(offset..<100))
        let digest = ContentDigest(of: counting(0..<100)).value
        #expect(bench.uploadEvents.last == .completed(digest: digest))
    }

    @Test(arguments: [
        PartialBodies.kept, .none, .first(.bytes(10)), .rolledBack(toBlocksOf: .bytes(20)),
    ])
    func `a whole PATCH is kept in every mode`(mode: PartialBodies) {
        let bench = bench(mode)
        bench.patch("u1", offset: 30, counting(30..<100))
        let digest = ContentDigest(of: counting(0..<100)).value
        #expect(bench.uploadEvents.last == .completed(digest: digest))
    }

    @Test func `what is rolled back again and again stays right`() {
        let bench = bench(.rolledBack(toBlocksOf: .bytes(20)))
        var offset = 30
        // 30 -> 47 -> 40, 40 -> 59 -> 40, 40 -> 61 -> 60, 60 -> 60 (nothing arrived).
        for (arrived, left) in [(17, 40), (19, 40), (21, 60), (0, 60)] {
            let bytes = counting(offset..<offset + arrived)
            bench.breakPatch("u1", offset: offset, length: 40, after: bytes)
            offset = left
            #expect(bench.head("u1").field("Upload-Offset") == String(left))
        }
        bench.patch("u1", offset: 60, counting(60..<100))
        let digest = ContentDigest(of: counting(0..<100)).value
        #expect(bench.uploadEvents.last == .completed(digest: digest))
    }

    @Test func `a chunk that fails its checksum does not move the block to roll back to`() {
        let bench = bench(.rolledBack(toBlocksOf: .bytes(20)))
        let fields = [("Upload-Checksum", "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=")]
        #expect(bench.patch("u1", offset: 30, counting(30..<70), fields: fields).status == 460)
        bench.breakPatch("u1", offset: 30, length: 50, after: counting(30..<32))
        #expect(bench.head("u1").field("Upload-Offset") == "20")
    }

    @Test func `a client that sends other bytes is caught by the digest`() {
        // The defective twin: it trusts its own offset of 40 and goes on after a fall back to 30,
        // by lying about the offset.
        let bench = bench(.none)
        bench.breakPatch("u1", offset: 30, length: 50, after: counting(30..<40))
        bench.patch("u1", offset: 30, counting(40..<100) + counting(0..<10))
        let digest = ContentDigest(of: counting(0..<100)).value
        #expect(bench.server.uploadStates.first?.phase == "complete")
        #expect(bench.uploadEvents.last != .completed(digest: digest))
    }

    @Test func `pieces may be cut anywhere`() {
        for cut in 1..<70 {
            let bench = bench(.rolledBack(toBlocksOf: .bytes(7)))
            let exchange = bench.openPatch("u1", offset: 30, length: 70)
            bench.server.receive(counting(30..<30 + cut), of: exchange)
            bench.server.receive(counting(30 + cut..<100), of: exchange)
            bench.server.end(exchange)
            let digest = ContentDigest(of: counting(0..<100)).value
            #expect(bench.uploadEvents.last == .completed(digest: digest))
        }
    }
}
