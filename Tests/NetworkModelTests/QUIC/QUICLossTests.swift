import HTTPVocabulary
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

/// Sends every body back, and keeps what came on each target.
private final class Mirror: HTTPResponder {
    var bodies: [String: [UInt8]] = [:]

    func begin(_ exchange: any HTTPExchange) {}

    func receive(_ bytes: [UInt8], of exchange: any HTTPExchange) {
        bodies[exchange.head.target, default: []] += bytes
    }

    func end(_ exchange: any HTTPExchange) {
        exchange.respond(
            HTTPResponseMessage(status: 200, body: bodies[exchange.head.target] ?? [])
        )
    }

    func lost(_ exchange: any HTTPExchange) {}
}

/// Keeps the answers' bytes by request.
private final class Bodies: HTTPClientEvents {
    var bytes: [RequestToken: [UInt8]] = [:]
    var finished: [RequestToken] = []
    var failures = 0

    func handedOver(_ bytes: Int64, of token: RequestToken) {}
    func responseHead(status: Int, fields: HTTPFieldList, of token: RequestToken) {}
    func bodyChunk(_ bytes: [UInt8], of token: RequestToken) {
        self.bytes[token, default: []] += bytes
    }
    func finished(_ token: RequestToken) { finished.append(token) }
    func failed(_ failure: TransportFailure, of token: RequestToken) { failures += 1 }
}

@Suite struct `QUIC over a bad link` {
    /// Bytes that tell their stream and their place.
    private func pattern(_ stream: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ stream &* 101) }
    }

    // Whatever is lost, and in whatever order packets come: each stream's bytes arrive once and in
    // order, both ways. Loss 0 to 15 % each way, jitter of a round trip that reorders, five streams.
    @Test(arguments: 1...24)
    func `every byte arrives once and in order on each stream`(seed: UInt64) {
        let share = Probability.perMillion(seed % 4 * 50_000)
        let link = LinkDirection(
            rate: .megabitsPerSecond(seed % 3 == 0 ? 2 : 20),
            queue: seed % 5 == 0 ? 8 : 100,
            loss: .bernoulli(share)
        )
        let conditions = NetworkConditions(phases: [
            NetworkPhase(
                name: "bad",
                down: link,
                up: link,
                rtt: .milliseconds(60),
                jitter: seed % 2 == 0 ? .milliseconds(60) : .zero,
                reorders: seed % 2 == 0
            )
        ])
        var settings = HTTPClientSettings.http3
        if seed % 3 == 1 { settings.quic.congestionControl = .newReno }
        if seed % 4 == 3 {
            settings.quic.streamWindow = 20_000
            settings.quic.connectionWindow = 50_000
        }
        let world = TestWorld(seed: seed, conditions, settings: settings)
        let mirror = Mirror()
        world.internet.register("mirror.example", responder: mirror)
        let bodies = Bodies()
        let sizes = [1, 1_199, 5_000, 40_000, 90_000]
        let tokens = sizes.enumerated().map { number, size in
            world.client.send(
                HTTPRequestHead(method: "POST", host: "mirror.example", target: "/\(number)"),
                body: MemoryBody(pattern(number, size)),
                options: RequestOptions(number: 1, owner: "test", idleTimeout: nil),
                events: bodies
            )
        }
        world.run(120)
        #expect(bodies.failures == 0)
        #expect(bodies.finished.count == sizes.count)
        for (number, size) in sizes.enumerated() {
            #expect(mirror.bodies["/\(number)"] == pattern(number, size))
            #expect(bodies.bytes[tokens[number]] == pattern(number, size))
        }
    }

    // 1 MB at 10 Mbps: 0.8 s of payload, with headers (1,350 + 28 for about 1,320) 0.84 s, a handshake and
    // slow start before: 1.2 s at most. At 2 % loss the window is all that counts, and the same CUBIC gives it.
    // Like for like: datagrams that carry a segment's 1,448 bytes (1,484), and no acknowledgement held back,
    // as Linux's receiver holds none back for a while after each gap. Then they are within a tenth of each
    // other (the bound is an assumption); QUIC saves a round trip at the start, and has no proportional rate
    // reduction. As it ships, smaller datagrams cost it 1,448 / 1,320 = 1.1 in window, and held acknowledgements
    // a little more: well under a half.
    @Test func `a clean link is filled, and loss costs what it costs TCP`() throws {
        func time(
            _ share: Probability,
            seed: UInt64,
            _ settings: HTTPClientSettings = .http3
        ) throws -> Double {
            let world = TestWorld(
                seed: seed,
                .plain(
                    rate: .megabitsPerSecond(10),
                    rtt: .milliseconds(50),
                    loss: .bernoulli(share)
                ),
                settings: settings
            )
            world.send("GET", "/bytes/1000000")
            world.run(60)
            return try #require(world.milliseconds(world.events.finishedAt.first))
        }
        let clean = try time(.never, seed: 1)
        #expect(clean > 840 && clean < 1_200)
        let seeds: ClosedRange<UInt64> = 1...20
        var alike = HTTPClientSettings.http3
        alike.quic.datagramSize = 1_484
        alike.quic.longestAckDelay = .milliseconds(1)
        let quic = try seeds.map { try time(.percent(2), seed: $0, alike) }.reduce(0, +)
        let tcp = try seeds.map { try time(.percent(2), seed: $0, .exact) }.reduce(0, +)
        let shipped = try seeds.map { try time(.percent(2), seed: $0) }.reduce(0, +)
        #expect(shipped / tcp > 1 && shipped / tcp < 1.5, "\(shipped / tcp)")
        #expect(quic / tcp > 0.9 && quic / tcp < 1.1, "QUIC \(quic / 20) ms, TCP \(tcp / 20) ms")
    }

    // Ten datagrams of 1,350 in the first flight, then twice as many each round trip: 1 MB without a
    // limit of rate needs 10, 20, 40 ... : about 1,310 bytes of body each, 764 datagrams, so
    // 10 x (2^n - 1) >= 764: n = 7 flights. Handshake 1, request and first flight 1, six more: 8 r, with HyStart off.
    @Test func `slow start doubles each round trip from ten datagrams`() {
        var settings = HTTPClientSettings.http3
        settings.quic.usesHyStart = false
        let world = TestWorld(settings: settings)
        world.send("GET", "/bytes/1000000")
        world.run(10)
        #expect(world.milliseconds(world.events.finishedAt.first) == 800)
    }

    // RFC 9438, 5.8: CUBIC's clock stands still while nothing is in flight. Slow start ends with a loss of the
    // 100th datagram, at a window of about 110, which falls to 77; K is 4.3 s. Then some 2.5 s of sending, and
    // 20 s of silence between: the window is not back at 110. Were the silence counted, CUBIC would aim at
    // thousands, and the window would grow by half each round trip.
    @Test func `the window does not grow in a pause`() throws {
        var settings = HTTPClientSettings.http3
        settings.quic.usesHyStart = false
        let world = TestWorld(settings: settings)
        var count = 0
        world.network.chosenLoss = { packet, direction in
            guard direction == .down, packet.payload > 1_200 else { return false }
            count += 1
            return count == 100
        }
        world.send("GET", "/bytes/1000000")
        world.run(20)
        world.send("GET", "/bytes/1000000")
        world.run(5)
        #expect(world.events.finishedAt.count == 2)
        let window = try #require(world.network.slots.first?.quic?.server.congestion.window)
        #expect(window > 70 && window < 110, "a window of \(window)")
    }

    // A hole of 2 s in the middle of a download: probes at growing distance find the end of it.
    @Test func `a blackhole of two seconds is survived`() {
        let world = TestWorld(
            .plain(
                rate: .megabitsPerSecond(5),
                rtt: .milliseconds(50),
                interruptions: [
                    PathInterruption(
                        at: .milliseconds(700),
                        duration: .seconds(2),
                        kind: .blackhole
                    )
                ]
            ),
            settings: .http3
        )
        world.send("GET", "/bytes/1000000")
        world.run(30)
        #expect(world.events.bytes == 1_000_000)
        #expect(world.log.openings.count == 1)
    }

    @Test func `the same seed gives the same packets`() {
        func crossings(_ seed: UInt64) -> [PacketCrossing] {
            let world = TestWorld(
                seed: seed,
                .plain(rate: .megabitsPerSecond(5), loss: .bernoulli(.percent(5))),
                settings: .http3
            )
            world.send("GET", "/bytes/100000")
            world.run(20)
            return world.log.crossings.map(\.packet)
        }
        #expect(crossings(4) == crossings(4))
        #expect(crossings(4) != crossings(5))
    }
}

@Suite struct `Range set` {
    // Against a set of numbers, for random insertions and removals within 0..<60.
    @Test(arguments: 1...20) func `it is a set of numbers`(seed: UInt64) {
        let simulation = Simulation(seed: seed)
        var draws = simulation.stream("ranges")
        var ranges = RangeSet()
        var numbers = Set<Int64>()
        for _ in 0..<200 {
            let lower = draws.integer(in: 0...50)
            let range = lower..<lower + draws.integer(in: 0...9)
            if draws.happens(.percent(60)) {
                ranges.insert(range)
                numbers.formUnion(range)
            } else {
                ranges.remove(range)
                numbers.subtract(range)
            }
            #expect(Set(ranges.ranges.flatMap { $0 }) == numbers)
            #expect(
                zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy {
                    $0.upperBound < $1.lowerBound
                }
            )
            #expect((0..<60).allSatisfy { ranges.contains($0) == numbers.contains($0) })
            let missing = Set(ranges.missing(in: 10..<40).flatMap { $0 })
            #expect(missing == Set(10..<40).subtracting(numbers))
        }
    }
}
