import Quantities
import SimulationKernel
import Testing

@testable import PhoneModel

/// Paged bytes against a plain array, which is right by looking at it.
@Suite struct PageStoreTests {
    @Test(arguments: 1...20)
    func `random writes and cuts read back as from a plain array`(seed: UInt64) {
        var stream = RandomStream(key: seed)
        // Every other file begins as content that is made when it is read.
        let content = SyntheticContent(seed: seed, length: .bytes(seed % 2 == 0 ? 25_001 : 0))
        var pages = PageStore(content)
        var plain = content.bytes(in: 0..<content.length)
        for _ in 0..<200 {
            if stream.below(8) == 0 {
                let size = Int(stream.below(40_000))
                pages.truncate(to: Int64(size))
                if size < plain.count {
                    plain.removeSubrange(size...)
                } else {
                    plain += [UInt8](repeating: 0, count: size - plain.count)
                }
            } else {
                let offset = Int(stream.below(30_000))
                let bytes = (0..<stream.below(9_000)).map { _ in
                    UInt8(truncatingIfNeeded: stream.next())
                }
                bytes.withUnsafeBytes { pages.write($0, at: Int64(offset)) }
                if !bytes.isEmpty {
                    let end = offset + bytes.count
                    if end > plain.count {
                        plain += [UInt8](repeating: 0, count: end - plain.count)
                    }
                    plain.replaceSubrange(offset..<end, with: bytes)
                }
            }
            #expect(pages.size == Int64(plain.count))
        }
        #expect(all(pages) == plain)
    }

    @Test func `a copy keeps its bytes when the original goes on`() {
        var original = PageStore()
        [UInt8](repeating: 1, count: 10_000).withUnsafeBytes { original.write($0, at: 0) }
        let copy = original
        [UInt8](repeating: 2, count: 100).withUnsafeBytes { original.write($0, at: 5_000) }
        original.truncate(to: 6_000)
        #expect(all(copy) == [UInt8](repeating: 1, count: 10_000))
        #expect(all(original)[5_000..<5_100].allSatisfy { $0 == 2 })
    }

    /// A write at 1 MiB touches one block; what lies before is a hole.
    @Test func `a hole takes no block and reads as zeros`() {
        var pages = PageStore()
        #expect(pages.blocksAdded(byWriting: 2, at: 1_048_575) == 2)
        [UInt8](repeating: 9, count: 2).withUnsafeBytes { pages.write($0, at: 1_048_575) }
        #expect(pages.blocks == 2)
        #expect(pages.blocksAdded(byWriting: 4_096, at: 1_048_576) == 0)
        #expect(all(pages).dropLast(2).allSatisfy { $0 == 0 })
        pages.truncate(to: 1_048_576)
        #expect(pages.blocks == 1)
    }

    /// 10,000 bytes lie in three blocks; a write inside the second one takes no other.
    @Test func `content that is made when read takes its blocks, and keeps what a write leaves`() {
        let content = SyntheticContent(seed: 7, length: .bytes(10_000))
        var pages = PageStore(content)
        #expect(pages.blocks == 3)
        #expect(pages.blocksAdded(byWriting: 4_096, at: 8_192) == 0)
        [UInt8](repeating: 9, count: 10).withUnsafeBytes { pages.write($0, at: 5_000) }
        #expect(pages.blocks == 3)
        var expected = content.bytes(in: 0..<10_000)
        expected.replaceSubrange(5_000..<5_010, with: [UInt8](repeating: 9, count: 10))
        #expect(all(pages) == expected)
        pages.truncate(to: 4_000)
        #expect(pages.blocks == 1)
        pages.truncate(to: 10_000)
        #expect(pages.blocks == 1)
        #expect(all(pages) == expected[..<4_000] + [UInt8](repeating: 0, count: 6_000))
    }

    @Test func `bytes cut off do not come back when the file grows again`() {
        var pages = PageStore()
        [UInt8](repeating: 7, count: 5_000).withUnsafeBytes { pages.write($0, at: 0) }
        pages.truncate(to: 100)
        pages.truncate(to: 5_000)
        #expect(all(pages)[100...].allSatisfy { $0 == 0 })
    }

    @Test func `a read past the end gives what there is`() {
        var pages = PageStore()
        [UInt8](repeating: 7, count: 10).withUnsafeBytes { pages.write($0, at: 0) }
        var buffer = [UInt8](repeating: 1, count: 8)
        #expect(buffer.withUnsafeMutableBytes { pages.read(into: $0, at: 6) } == 4)
        #expect(buffer == [7, 7, 7, 7, 1, 1, 1, 1])
        #expect(buffer.withUnsafeMutableBytes { pages.read(into: $0, at: 10) } == 0)
    }

    private func all(_ pages: PageStore) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: Int(pages.size))
        _ = bytes.withUnsafeMutableBytes { pages.read(into: $0, at: 0) }
        return bytes
    }
}
