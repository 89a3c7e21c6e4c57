import Quantities
import Testing

@testable import NetworkModel

@Suite struct `Rate clock` {
    private func work(_ bytes: Int64) -> Int64 { bytes * RateClock.workPerByte }

    // 1,500 B at 12 Mbps: 12,000 bits / 12e6 bit/s = 1 ms.
    @Test func `a constant rate takes bits over rate`() {
        let clock = RateClock(.constant(.megabitsPerSecond(12)), phaseStart: .zero)
        #expect(clock.finish(work(1_500), from: 5, waitingSince: 5) == 1_000_005)
    }

    // 1 Mbps until 6 ms carries 6,000 of 12,000 bits; the rest at 2 Mbps takes 3 ms: 9 ms.
    @Test func `a step in the middle of a packet goes on at the new rate`() {
        let clock = RateClock(
            .steps([
                .init(from: .zero, rate: .megabitsPerSecond(1)),
                .init(from: .milliseconds(6), rate: .megabitsPerSecond(2)),
            ]),
            phaseStart: .zero
        )
        #expect(clock.finish(work(1_500), from: 0, waitingSince: 0) == 9_000_000)
        #expect(clock.remainder(of: work(1_500), from: 0, at: 7_000_000) == 4_000_000_000_000)
    }

    // Opportunities at 1, 3, 4 ms, then 5, 7, 8 ms: the period is the last value.
    @Test func `a trace wraps with its last value as period`() {
        let clock = RateClock(.opportunities([1, 3, 4]), phaseStart: .zero)
        var ends: [Int64] = []
        for _ in 0..<6 {
            ends.append(clock.finish(work(1_500), from: ends.last ?? 0, waitingSince: 0) ?? -1)
        }
        #expect(ends.map { $0 / 1_000_000 } == [1, 3, 4, 5, 7, 8])
    }

    // A file 0, 1, 2 fires three times in 2 ms, and twice at each wrap: 2 of this cycle, 0 of the next.
    @Test func `a trace that begins at zero fires twice at each wrap`() {
        let clock = RateClock(.opportunities([0, 1, 2]), phaseStart: .zero)
        var ends: [Int64] = []
        for _ in 0..<5 {
            ends.append(clock.finish(work(1_500), from: ends.last ?? 0, waitingSince: 0) ?? -1)
        }
        #expect(ends.map { $0 / 1_000_000 } == [1, 2, 2, 3, 4])
    }

    // Two packets of 600 B waited: both leave at the first opportunity, whose last 300 B are wasted
    // on a third that came at that very instant.
    @Test func `an opportunity carries what waited before it and wastes the rest`() {
        let clock = RateClock(.opportunities([10]), phaseStart: .zero)
        let ten: Int64 = 10_000_000
        #expect(clock.finish(work(600), from: 0, waitingSince: 0) == ten)
        #expect(clock.finish(work(600), from: ten, waitingSince: 1) == ten)
        #expect(clock.finish(work(300), from: ten, waitingSince: ten) == 2 * ten)
    }

    @Test func `a big packet spans opportunities`() {
        let clock = RateClock(.opportunities([10]), phaseStart: .zero)
        #expect(clock.finish(work(3_001), from: 0, waitingSince: 0) == 30_000_000)
    }

    @Test func `a rate of zero never ends a packet`() {
        let clock = RateClock(.constant(BitRate(bitsPerSecond: 0)), phaseStart: .zero)
        #expect(clock.finish(work(1), from: 0, waitingSince: 0) == nil)
    }
}
