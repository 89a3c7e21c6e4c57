import ClientModules
import Quantities
import Testing

@Suite struct ChunkSizerTests {
    let quarter: Int64 = 256 << 10
    let most: Int64 = 8 << 20

    @Test func `it begins with the smallest chunk`() {
        #expect(ChunkSizer().next == quarter)
    }

    // 1 MiB/s: 5 s are 5 MiB, 10 s are 10 MiB, the middle 7.5 MiB. From 256 KiB it takes
    // x4, x4, then the middle: 1 MiB, 4 MiB, 7.5 MiB, where it stays.
    @Test func `it grows fourfold at most to the middle of the time at the measured rate`() {
        var sizer = ChunkSizer()
        var sizes: [Int64] = []
        for _ in 0..<5 {
            let size = sizer.next
            sizer.committed(size, in: .milliseconds((size * 1_000) >> 20))
            sizes.append(sizer.next)
        }
        #expect(sizes == [1_048_576, 4_194_304, 7_864_320, 7_864_320, 7_864_320])
    }

    // 250 kbit/s = 31,250 B/s: 256 KiB take 8.39 s, within 5..10 s, so the size stays.
    @Test func `a size that fits the time stays`() {
        var sizer = ChunkSizer()
        sizer.committed(quarter, in: .milliseconds(8_389))
        #expect(sizer.next == quarter)
        #expect(sizer.bytesPerSecond == 31_248)
    }

    // From 1 MiB/s to 64 KiB/s the estimate moves by halves: 544, 304, 184 KiB/s ... the size follows
    // down at once, as far as the estimate says, and never leaves its bounds.
    @Test func `a slower line makes smaller chunks, never below the smallest`() {
        var sizer = ChunkSizer()
        for _ in 0..<4 {
            sizer.committed(sizer.next, in: .milliseconds((sizer.next * 1_000) >> 20))
        }
        var before = sizer.next
        for _ in 0..<12 {
            sizer.committed(sizer.next, in: .milliseconds((sizer.next * 1_000) >> 16))
            #expect(sizer.next <= before)
            before = sizer.next
        }
        // 64 KiB/s: between 320 and 640 KiB.
        #expect((327_680...655_360).contains(sizer.next))
    }

    @Test func `a fast line stops at the largest`() {
        var sizer = ChunkSizer()
        for _ in 0..<10 { sizer.committed(sizer.next, in: .microseconds(1)) }
        #expect(sizer.next == most)
        sizer.committed(most, in: .zero)
        #expect(sizer.next == most)
    }

    @Test func `a chunk lost whole is halved, a new path begins again`() {
        var sizer = ChunkSizer()
        for _ in 0..<4 {
            sizer.committed(sizer.next, in: .milliseconds((sizer.next * 1_000) >> 20))
        }
        sizer.lost()
        #expect(sizer.next == 3_932_160)
        for _ in 0..<9 { sizer.lost() }
        #expect(sizer.next == quarter)
        sizer.committed(quarter, in: .milliseconds(10))
        sizer.pathChanged()
        #expect(sizer.next == quarter)
        #expect(sizer.bytesPerSecond == nil)
    }

    // 413 at 256 KiB: 128, 64, 32, 16 KiB, and at 16 KiB there is no smaller one.
    @Test func `a server's limit goes below the smallest, down to 16 KiB`() {
        var sizer = ChunkSizer()
        var tried: [Int64] = []
        while sizer.refusedAsTooLarge(sizer.next) { tried.append(sizer.next) }
        #expect(tried == [131_072, 65_536, 32_768, 16_384])
        // It stays when the line is fast.
        sizer.committed(16 << 10, in: .milliseconds(1))
        #expect(sizer.next == 16_384)
    }

    @Test func `a fixed size stays fixed`() {
        var sizer = ChunkSizer(sizes: QuantityRange(.kibibytes(256)))
        sizer.committed(quarter, in: .milliseconds(1))
        #expect(sizer.next == quarter)
        sizer.lost()
        #expect(sizer.next == quarter)
    }
}
