import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

@Suite struct `Bottleneck and propagation` {
    private func datagram(_ number: Int, size: Int = 1_500) -> Packet {
        var packet = Packet()
        packet.kind = .datagram
        packet.size = Int32(size)
        packet.payload = Int32(size - 28)
        packet.sequence = Int64(number)
        return packet
    }

    // One is in transmission, Q wait: Q + 1 of a burst survive.
    @Test(arguments: [0, 1, 5, 100]) func `a burst leaves the queue plus one`(queue: Int) {
        let world = TestWorld(.plain(rate: .megabitsPerSecond(1), queue: queue))
        for number in 0..<200 { world.network.sendUp(datagram(number)) }
        #expect(world.log.losses.count { $0.cause == .queueFull } == 200 - queue - 1)
        world.run(10)
        #expect(world.log.crossings.count == queue + 1)
        // 1,500 B at 1 Mbps: 12 ms each, back to back.
        let times = world.log.crossings.map { $0.at.nanoseconds }
        #expect(times == (1...(queue + 1)).map { Int64($0) * 12_000_000 })
    }

    @Test func `jitter never reorders and stays within its bounds`() {
        let world = TestWorld(
            .plain(rate: .unlimited, rtt: .milliseconds(100), jitter: .milliseconds(40))
        )
        var order: [Int64] = []
        for number in 0..<500 {
            world.simulation.schedule(at: .init(nanoseconds: Int64(number) * 1_000_000)) {
                world.network.sendDown(datagram(number))
            }
        }
        world.run(2)
        var widest: Int64 = 0
        for crossing in world.log.crossings {
            order.append(crossing.packet.sequence)
            let delay = crossing.at.nanoseconds - crossing.packet.sequence * 1_000_000
            #expect((50_000_000...90_000_000).contains(delay))
            widest = max(widest, delay)
        }
        #expect(order == Array(0..<500))
        #expect(widest > 80_000_000)
    }

    // Down at the air means: after the loss. Up means: before it.
    @Test func `a packet lost on its way up has crossed, one lost on its way down has not`() {
        let world = TestWorld(.plain(loss: .bernoulli(.always)))
        world.network.sendUp(datagram(1))
        world.network.sendDown(datagram(2))
        world.run(1)
        #expect(world.log.crossings.map(\.packet.direction) == [.up])
        #expect(world.log.losses.map(\.direction) == [.up, .down])
        #expect(world.log.losses.allSatisfy { $0.cause == .random })
    }

    // Half of a packet at 1 Mbps takes 6 ms; then the rate doubles: the other half takes 3 ms.
    @Test func `a phase that changes the rate takes the packet in hand along`() {
        let slow = LinkDirection(rate: .megabitsPerSecond(1))
        let fast = LinkDirection(rate: .megabitsPerSecond(2))
        let world = TestWorld(
            NetworkConditions(phases: [
                NetworkPhase(
                    name: "a",
                    duration: .milliseconds(6),
                    down: slow,
                    up: slow,
                    rtt: .zero
                ),
                NetworkPhase(name: "b", down: fast, up: fast, rtt: .zero),
            ])
        )
        world.network.sendUp(datagram(1))
        world.run(1)
        #expect(world.log.crossings.map { $0.at.nanoseconds } == [9_000_000])
    }

    @Test func `a sleeping radio delays the first packet by its promotion`() {
        final class Sleeper: Modem {
            var asked: [(PacketDirection, Int)] = []
            func readiness(
                _ direction: PacketDirection,
                size: Int,
                owner: String,
                at instant: SimulationInstant
            ) -> SimulationInstant {
                asked.append((direction, size))
                return max(instant, .init(nanoseconds: 260_000_000))
            }
            func crossed(_ packet: PacketCrossing, at instant: SimulationInstant) {}
        }
        let modem = Sleeper()
        let world = TestWorld(.plain(rate: .megabitsPerSecond(12)), modem: modem)
        world.network.sendUp(datagram(1))
        world.network.sendUp(datagram(2))
        world.run(1)
        #expect(world.log.crossings.map { $0.at.nanoseconds } == [261_000_000, 262_000_000])
        #expect(modem.asked.count == 2)
    }

    @Test func `no route drops before the radio, a blackhole after it`() {
        let world = TestWorld()
        world.network.interrupt(.down, for: .seconds(1))
        world.network.sendUp(datagram(1))
        world.run(1.5)
        world.network.interrupt(.blackhole, for: .seconds(1))
        world.network.sendUp(datagram(2))
        world.network.sendDown(datagram(3))
        world.run(0.5)
        #expect(world.log.losses.map(\.cause) == [.pathDown, .blackhole, .blackhole])
        #expect(world.log.crossings.map(\.packet.sequence) == [2])
    }

    @Test func `the path tells of each change once`() {
        let world = TestWorld(
            .plain(interruptions: [
                .init(at: .seconds(1), duration: .seconds(2), kind: .down),
                .init(at: .seconds(2), duration: .seconds(3), kind: .blackhole),
            ])
        )
        var seen: [PathChange.Condition] = []
        let observer = world.network.observePath { seen.append($0.condition) }
        world.run(10)
        #expect(seen == [.down, .blackhole, .up])
        world.network.removePathObserver(observer)
        world.network.interrupt(.down, for: .seconds(1))
        world.network.heal()
        #expect(seen.count == 3)
        #expect(world.network.path.condition == .up)
    }
}
