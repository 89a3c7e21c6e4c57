import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

@Suite struct `Reordering, bloated buffers, repeated rates` {
    private func datagram(_ number: Int, size: Int = 1_500) -> Packet {
        var packet = Packet()
        packet.kind = .datagram
        packet.size = Int32(size)
        packet.payload = Int32(size - 28)
        packet.sequence = Int64(number)
        return packet
    }

    private func conditions(reorders: Bool) -> NetworkConditions {
        let link = LinkDirection(rate: .unlimited)
        return NetworkConditions(phases: [
            NetworkPhase(
                name: "jitter",
                down: link,
                up: link,
                rtt: .milliseconds(100),
                jitter: .milliseconds(40),
                reorders: reorders
            )
        ])
    }

    /// The packets' numbers in the order of arrival at the phone, one sent each millisecond.
    private func arrivals(reorders: Bool) -> [(number: Int64, delay: Int64)] {
        let world = TestWorld(conditions(reorders: reorders))
        for number in 0..<2_000 {
            world.simulation.schedule(at: .init(nanoseconds: Int64(number) * 1_000_000)) {
                world.network.sendDown(datagram(number))
            }
        }
        world.run(3)
        return world.log.crossings.map {
            ($0.packet.sequence, $0.at.nanoseconds - $0.packet.sequence * 1_000_000)
        }
    }

    // Uniform on 0..40 ms: without an order to keep, delays have mean 70 ms and standard deviation
    // 40 / sqrt(12) = 11.5 ms; of 2,000 the mean's is 0.26 ms. Neighbours 1 ms apart swap with a chance
    // of (1 - 1/40)^2 / 2 = 0.475.
    @Test func `jitter that may reorder delays each packet by its own draw`() {
        let seen = arrivals(reorders: true)
        #expect(seen.map(\.number).sorted() == (0..<2_000).map { Int64($0) })
        #expect(seen.allSatisfy { (50_000_000...90_000_000).contains($0.delay) })
        let mean = seen.map { Double($0.delay) / 1e6 }.reduce(0, +) / 2_000
        #expect(abs(mean - 70) < 3 * 0.26)
        var place = [Int](repeating: 0, count: 2_000)
        for (index, packet) in seen.enumerated() { place[Int(packet.number)] = index }
        let swapped = (0..<1_999).count { place[$0] > place[$0 + 1] }
        // Neighbouring pairs share a packet; sigma without that is sqrt(0.475 x 0.525 / 1,999) = 0.011.
        #expect(abs(Double(swapped) / 1_999 - 0.475) < 3 * 0.011)
    }

    @Test func `jitter that keeps order has no packet overtake another`() {
        let numbers = arrivals(reorders: false).map(\.number)
        #expect(numbers == (0..<2_000).map { Int64($0) })
    }

    @Test func `TCP delivers all bytes over a way that reorders`() {
        let world = TestWorld(conditions(reorders: true))
        world.send("GET", "/bytes/300000")
        world.run(30)
        #expect(world.events.bytes == 300_000)
        #expect(world.events.failures.isEmpty)
    }

    // 1,000 packets of 1,500 B before a link of 5 Mbps: 1,000 x 12,000 bit / 5 Mbit/s = 2.4 s of waiting;
    // one more is in transmission: the next that gets in leaves after 1,002 x 2.4 ms.
    @Test func `a bloated buffer makes whoever comes next wait for all that is in it`() {
        let world = TestWorld(.plain(rate: .megabitsPerSecond(5), rtt: .zero, queue: 1_000))
        for number in 0..<1_001 { world.network.sendUp(datagram(number)) }
        world.simulation.schedule(at: .init(nanoseconds: 2_400_000)) {
            world.network.sendUp(datagram(2_000))
        }
        world.run(5)
        let last = world.log.crossings.last
        #expect(last?.packet.sequence == 2_000)
        let expected: Int64 = 1_002 * 2_400_000
        #expect(last?.at.nanoseconds == expected)
        #expect(world.log.losses.isEmpty)
    }

    // 1 Mbps for 10 ms, nothing for 10 ms, again: 12,000 bit are 10,000 by 10 ms and the rest by 22 ms.
    // The second packet begins there: 8,000 by 30 ms, 4,000 more by 44 ms.
    @Test func `rates begin again after their period`() {
        let rate = RateSchedule.repeatedSteps(
            [
                .init(from: .zero, rate: .megabitsPerSecond(1)),
                .init(from: .milliseconds(10), rate: BitRate(bitsPerSecond: 0)),
            ],
            period: .milliseconds(20)
        )
        let clock = RateClock(rate, phaseStart: .init(nanoseconds: 5))
        let work = 1_500 * RateClock.workPerByte
        #expect(clock.finish(work, from: 5, waitingSince: 5) == 22_000_005)
        #expect(clock.finish(work, from: 22_000_005, waitingSince: 5) == 44_000_005)
        #expect(clock.rate(at: .init(nanoseconds: 15_000_005)).bitsPerSecond == 0)
        #expect(clock.rate(at: .init(nanoseconds: 86_400_000_000_005)).bitsPerSecond == 1_000_000)
        // Of 12,000 bit, 10,000 are done at 15 ms.
        #expect(clock.remainder(of: work, from: 5, at: 15_000_005) == 2_000 * 1_000_000_000)
    }
}
