import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

@Suite struct `TCP recovery` {
    private var settings: TCPSettings {
        var settings = TCPSettings()
        settings.timerTick = .zero
        return settings
    }

    private func exchange(
        _ world: TestWorld,
        up bytes: Int64,
        settings: TCPSettings? = nil
    ) -> TCPExchange {
        let exchange = TCPExchange(
            on: world.network,
            settings: settings ?? self.settings,
            requestBytes: bytes,
            responseBytes: 200
        )
        exchange.begin()
        return exchange
    }

    private func hole(_ at: Int64, for span: Int64) -> PathInterruption {
        PathInterruption(
            at: .nanoseconds(at),
            duration: .nanoseconds(span),
            kind: .blackhole
        )
    }

    // At 250 kbit/s a byte takes 32 us. SYN and answer, 60 B each: 2 x (1.92 + 15) = 33.84 ms.
    // Acknowledgement 52 B: 1.664. 13 full packets and one of 1,176 + 52 B: 624 + 39.296. Way: 15.
    // The reply of 252 B waits behind the acknowledgement of the last segment: 1.664 + 8.064 + 15.
    @Test func `twenty kilobytes on a slow link take what serialization takes`() {
        let world = TestWorld(
            .plain(rate: .kilobitsPerSecond(250), rtt: .milliseconds(30))
        )
        let exchange = exchange(world, up: 20_000)
        world.run(5)
        #expect(exchange.finishedAt == SimulationInstant(nanoseconds: 738_528_000))
    }

    // Unlimited rate, RTT 100 ms: handshake 1; flights of 10, 20, 40 and the rest of 139 segments:
    // four round trips, the last of which brings the answer. 500 ms.
    @Test func `slow start doubles each round trip from ten segments`() {
        let world = TestWorld()
        let exchange = exchange(world, up: 200_000)
        world.run(5)
        #expect(exchange.finishedAt == SimulationInstant(nanoseconds: 500_000_000))
        let flights = world.log.crossings.filter {
            $0.packet.payload > 0 && $0.packet.direction == .up
        }
        let counts = [1, 2, 3, 4].map { round in
            flights.count { $0.at.nanoseconds == round * 100_000_000 }
        }
        #expect(counts == [10, 20, 40, 69])
    }

    // Segments 60 to 62 arrive beyond the gap, so segment 59 counts as lost, and goes again at once.
    @Test func `one lost segment is sent again once, without a timeout`() throws {
        let world = TestWorld(.plain(rate: .megabitsPerSecond(1)))
        var wasLost = false
        world.network.chosenLoss = { packet, _ in
            guard packet.sequence == 1 + 58 * 1_448, !wasLost else { return false }
            wasLost = true
            return true
        }
        let exchange = exchange(world, up: 200_000)
        world.run(10)
        #expect(wasLost)
        let again = world.log.crossings.filter { $0.packet.isRetransmission }
        #expect(again.map(\.packet.sequence) == [1 + 58 * 1_448])
        // The queue never ran dry: one packet of 12 ms more than without the loss.
        let quiet = TestWorld(.plain(rate: .megabitsPerSecond(1)))
        let undisturbed = self.exchange(quiet, up: 200_000)
        quiet.run(10)
        let whole = try #require(exchange.finishedAt)
        let without = try #require(undisturbed.finishedAt)
        #expect(whole - without == .milliseconds(12))
    }

    // Unlimited rate, RTT 100 ms: ten segments leave at 100 ms, four at 200, and those are lost. Two
    // round trips and 2 ms after them the probe sends the last again: 402 ms. Its range comes back
    // at 502 ms, and the three before it are lost. Rate reduction lets out what was delivered: one.
    // That is acknowledged at 602 ms, which lets out one and one more for the progress (RFC 6937,
    // slow start reduction bound): the answer is there at 702 ms. A timeout would have come at
    // 500 ms and sent the first again.
    @Test func `a lost tail is found by a probe after two round trips`() {
        let world = TestWorld()
        world.network.chosenLoss = { packet, direction in
            direction == .up && packet.payload > 0 && !packet.isRetransmission
                && packet.sequence > 10 * 1_448
        }
        let exchange = exchange(world, up: 20_000)
        world.run(5)
        let again = world.log.crossings.filter { $0.packet.isRetransmission }
        #expect(again.map { $0.at.nanoseconds / 1_000_000 } == [402, 502, 602, 602])
        #expect(again.map { $0.packet.sequence / 1_448 } == [13, 10, 11, 12])
        #expect(exchange.finishedAt == SimulationInstant(nanoseconds: 702_000_000))
    }

    // One segment leaves at 100 ms and nothing is ever answered. Timeout: srtt 100 + max(200, 4 x 50)
    // = 300 ms. The probe, 2 x 100 + 200 for a single segment, is capped by it: 400 ms. Then
    // timeouts of 300, 600, 1,200, 2,400 ms.
    @Test func `timeouts double`() {
        let world = TestWorld()
        world.network.chosenLoss = { packet, direction in direction == .up && packet.payload > 0 }
        let exchange = exchange(world, up: 500)
        world.run(8)
        #expect(exchange.finishedAt == nil)
        let sent = world.log.crossings.filter {
            $0.packet.direction == .up && $0.packet.payload > 0
        }
        #expect(
            sent.map { $0.at.nanoseconds / 1_000_000 } == [100, 400, 700, 1_300, 2_500, 4_900]
        )
    }

    // The hole ends before the timeout at 2,500 ms; what is lost of the bulk goes again in recovery.
    @Test func `an outage of two seconds costs one backed-off timeout`() {
        let world = TestWorld(
            .plain(
                rate: .megabitsPerSecond(5),
                interruptions: [hole(500_000_000, for: 2_000_000_000)]
            )
        )
        let exchange = exchange(world, up: 2_000_000)
        world.run(20)
        #expect(exchange.finishedAt != nil)
        #expect(world.server.begun.isEmpty)
    }

    // The same window in the end, whatever the algorithm: all bytes arrive, in order, at 3 % loss.
    @Test(arguments: TCPSettings.CongestionControl.allCases, [1, 2, 3])
    func `every byte arrives under heavy loss`(
        control: TCPSettings.CongestionControl,
        seed: UInt64
    ) {
        let world = TestWorld(
            seed: seed,
            .plain(rate: .megabitsPerSecond(10), loss: .bernoulli(.percent(10)))
        )
        var settings = settings
        settings.congestionControl = control
        let exchange = exchange(world, up: 300_000, settings: settings)
        world.run(300)
        #expect(exchange.finishedAt != nil)
    }

    // Idle for longer than the timeout: the window is ten again, not what it had grown to.
    @Test func `an idle connection begins again with ten segments`() {
        let world = TestWorld()
        world.send("POST", "/", body: 200_000, security: .none)
        world.run(5)
        world.send("POST", "/", body: 200_000, security: .none)
        world.run(5)
        let second = world.log.crossings.filter {
            $0.packet.direction == .up && $0.packet.payload == 1_448
                && $0.at == SimulationInstant(nanoseconds: 5_000_000_000)
        }
        #expect(second.count <= 10 && second.count >= 9)
    }

    // Nobody reads: the window shuts, and opens again when the body is pulled.
    @Test func `an unread body holds the sender back`() {
        var settings = HTTPClientSettings.exact
        settings.tcp.largestReceiveWindow = 100_000
        let world = TestWorld(settings: settings)
        let token = world.send("GET", "/bytes/1000000", pullsBody: true)
        world.run(20)
        #expect(world.events.statuses == [200])
        let held = world.log.crossings.filter { $0.packet.direction == .down }
            .map { Int($0.packet.payload) }.reduce(0, +)
        #expect(held < 140_000)
        for _ in 0..<70 {
            world.client.pull(token)
            world.run(1)
        }
        #expect(world.events.bytes == 1_000_000)
        #expect(world.events.finishedAt.count == 1)
    }

    // The peer is gone without a word: probes at 10 s, then each 2 s; the third unanswered ends it.
    @Test func `keep-alive finds a half-open peer`() {
        var settings = HTTPClientSettings.exact
        settings.tcp.keepAliveIdle = .seconds(10)
        settings.tcp.keepAliveInterval = .seconds(2)
        settings.tcp.keepAliveProbes = 3
        let world = TestWorld(settings: settings)
        world.server.isMute = true
        world.send(idleTimeout: .seconds(999))
        world.run(5)
        world.network.interrupt(.blackhole, for: .seconds(900))
        world.run(30)
        #expect(world.events.failures == [.timedOut])
        #expect(world.log.closings == [.timedOut])
    }
}
