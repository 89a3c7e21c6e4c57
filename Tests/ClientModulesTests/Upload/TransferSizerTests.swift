import ClientModules
import Testing

/// How much one transfer of the system carries, where it is stopped after a time.
@Suite struct TransferSizerTests {
    // Half of 10 min at 12.5 kB/s.
    @Test func `the first one fits at the slowest rate`() {
        #expect(TransferSizer(limit: .seconds(600)).next == 3_750_000)
    }

    // 3.75 MB in 200 s are 18.75 kB/s: 5.625 MB in 300 s. 5.625 MB in 45 s are 125 kB/s: 37.5 MB, but fourfold
    // is 22.5 MB.
    @Test func `it grows to what fits at the measured rate, fourfold at most`() {
        var sizer = TransferSizer(limit: .seconds(600))
        sizer.committed(3_750_000, in: .seconds(200))
        #expect(sizer.next == 5_625_000)
        sizer.committed(5_625_000, in: .seconds(45))
        #expect(sizer.next == 22_500_000)
    }

    @Test func `a transfer that the system kept waiting makes the next no smaller`() {
        var sizer = TransferSizer(limit: .seconds(600))
        sizer.committed(3_750_000, in: .seconds(3_600))
        #expect(sizer.next == 3_750_000)
    }

    @Test func `what is lost halves it, and another path begins anew`() {
        var sizer = TransferSizer(limit: .seconds(600))
        sizer.committed(3_750_000, in: .seconds(10))
        #expect(sizer.next == 15_000_000)
        sizer.lost()
        #expect(sizer.next == 7_500_000)
        sizer.pathChanged()
        #expect(sizer.next == 3_750_000)
        sizer.lost()
        sizer.pathChanged()
        #expect(sizer.next == 1_875_000)
    }

    // 3.75 MB, then a quarter, then a quarter of the rest of a file, down to 16 KiB.
    @Test func `what ran out of time is a quarter the next time`() {
        var sizer = TransferSizer(limit: .seconds(600))
        sizer.ranOutOfTime(3_750_000)
        #expect(sizer.next == 937_500)
        sizer.ranOutOfTime(100_000)
        #expect(sizer.next == 25_000)
        sizer.ranOutOfTime(25_000)
        #expect(sizer.next == 16_384)
        // It was handed over before the size fell.
        sizer.ranOutOfTime(3_750_000)
        #expect(sizer.next == 16_384)
    }

    // What a launch knows of a slow line is no more than what it begins with.
    @Test func `it begins with what an earlier launch came down to`() {
        #expect(TransferSizer(limit: .seconds(600), known: 25_000).next == 25_000)
        #expect(TransferSizer(limit: .seconds(600), known: 30_000_000).next == 3_750_000)
    }

    @Test func `it never overflows and never falls below 16 KiB`() {
        var sizer = TransferSizer(limit: .seconds(1_000_000))
        for _ in 1...60 { sizer.committed(.max / 16, in: .nanoseconds(1)) }
        #expect(sizer.next > 0)
        for _ in 1...80 { sizer.lost() }
        #expect(sizer.next == 16_384)
    }
}
