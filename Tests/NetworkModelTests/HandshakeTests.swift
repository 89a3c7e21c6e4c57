import Quantities
import Testing
import Trace

@testable import NetworkModel

@Suite struct Handshakes {
    private func chained(_ world: TestWorld, calls: Int, fresh: Bool) -> Double {
        var left = calls - 1
        world.events.whenFinished = {
            guard left > 0 else { return }
            left -= 1
            world.send(host: fresh ? "h\(left).example" : "a.example")
        }
        world.send()
        world.run(20)
        return (world.events.finishedAt.last ?? .zero) == .zero
            ? .nan : world.milliseconds(world.events.finishedAt.last) ?? .nan
    }

    private func world(rtt: Int64 = 150) -> TestWorld {
        let world = TestWorld(.plain(rtt: .milliseconds(rtt)))
        for number in 0..<3 {
            world.internet.register("h\(number).example", responder: world.server)
        }
        return world
    }

    // F13. TCP: one round trip; TLS 1.3: one; four times: 4 x 2 x 150 ms = 1,200 ms of handshakes.
    // The four exchanges themselves take one round trip each: 1,800 ms in all.
    @Test func `four calls on fresh TLS 1_3 connections spend 1,200 ms on handshakes`() {
        let world = world()
        #expect(chained(world, calls: 4, fresh: true) == 1_800)
        let spent = world.log.openings.map(\.handshake).reduce(Duration.zero, +)
        #expect(spent == .milliseconds(1_200))
        #expect(world.log.openings.map(\.security) == Array(repeating: "tls1.3", count: 4))
    }

    // One handshake of 300 ms, then four exchanges of one round trip: 900 ms.
    @Test func `four calls on one connection spend 300 ms once`() {
        let world = world()
        #expect(chained(world, calls: 4, fresh: false) == 900)
        #expect(world.log.openings.map(\.handshake) == [.milliseconds(300)])
    }

    // TCP 1 + TLS 1.2 2 round trips, the exchange 1: 4 x 150 ms.
    @Test func `TLS 1_2 costs one round trip more`() {
        let world = world()
        world.send(security: .tls12)
        world.run(5)
        #expect(world.events.finishedAt == [.init(nanoseconds: 600_000_000)])
        #expect(world.log.openings.map(\.handshake) == [.milliseconds(450)])
    }

    @Test func `plain text costs the TCP handshake alone`() {
        let world = world()
        world.send(security: .none)
        world.run(5)
        #expect(world.events.finishedAt == [.init(nanoseconds: 300_000_000)])
    }

    // A resumed session with early data: TCP 1, then the request goes with the ClientHello.
    @Test func `early data saves the round trip of TLS 1_3`() {
        var settings = HTTPClientSettings.exact
        settings.resumesSessions = true
        settings.sendsEarlyData = true
        settings.idleConnectionTimeout = .seconds(1)
        let world = TestWorld(.plain(rtt: .milliseconds(150)), settings: settings)
        world.send()
        world.run(5)
        world.send()
        world.run(5)
        let span = world.events.finishedAt[1] - .init(nanoseconds: 5_000_000_000)
        #expect(span == .milliseconds(300))
        #expect(world.log.openings.map(\.security) == ["tls1.3", "tls1.3-0rtt"])
    }

    // A lookup of 80 ms comes before the first packet of TCP, and is cached for the second call.
    @Test func `a name is looked up once`() {
        let world = TestWorld(.plain(rtt: .milliseconds(50), nameLookup: .milliseconds(80)))
        world.send()
        world.run(2)
        #expect(world.milliseconds(world.events.finishedAt.first) == 230.0)
        world.send()
        world.run(2)
        #expect(world.milliseconds(world.events.finishedAt.last) == 2_050.0)
        #expect(world.log.crossings.count { $0.packet.connection == 0 } == 2)
    }

    // Six connections a host; eight requests of one round trip each after 2 of handshake: the last
    // two ride on the first connections that become free, one round trip later.
    @Test func `a pool of six serves eight requests in two rounds`() {
        let world = TestWorld(.plain(rtt: .milliseconds(100)))
        for _ in 0..<8 { world.send() }
        world.run(5)
        #expect(world.log.openings.count == 6)
        let rounds = world.events.finishedAt.map { world.milliseconds($0) }
        #expect(rounds.prefix(6).allSatisfy { $0 == 300 })
        #expect(rounds.suffix(2).allSatisfy { $0 == 400 })
    }

    @Test func `an idle connection is closed after its time`() {
        let world = TestWorld()
        world.send()
        world.run(59)
        #expect(world.client.openConnections == 1)
        world.run(3)
        #expect(world.client.openConnections == 0)
        #expect(world.log.closings == [.idle])
        // FIN, its acknowledgement and the server's FIN: nothing is left of it.
        #expect(world.log.crossings.filter { $0.packet.flags & 1 != 0 }.count == 2)
    }
}

@Suite struct `One way and the other` {
    // 250 ms up, 50 ms down. TCP in clear: SYN 250, its answer 50; the request is at the server 250 later,
    // at 550 ms, and the answer at the phone at 600 ms. Halved, the server would have it at 450 ms.
    @Test func `each direction has its own delay`() {
        let link = LinkDirection(rate: .unlimited)
        let world = TestWorld(
            NetworkConditions(phases: [
                NetworkPhase(
                    name: "asymmetric",
                    down: link,
                    up: link,
                    rtt: .milliseconds(300),
                    oneWayUp: .milliseconds(250)
                )
            ])
        )
        world.send(security: .none)
        world.run(0.549)
        #expect(world.server.begun.isEmpty)
        world.run(0.002)
        #expect(world.server.begun == ["GET /"])
        world.run(1)
        #expect(world.milliseconds(world.events.finishedAt.first) == 600)
    }
}
