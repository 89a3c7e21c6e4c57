import HTTPVocabulary
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

extension HTTPClientSettings {
    /// HTTP/3.
    static var http3: HTTPClientSettings {
        var settings = HTTPClientSettings.exact
        settings.applicationProtocol = .http3
        return settings
    }

    /// With resumption and early data; connections idle for a second.
    func resuming() -> HTTPClientSettings {
        var settings = self
        settings.resumesSessions = true
        settings.sendsEarlyData = true
        settings.idleConnectionTimeout = .seconds(1)
        return settings
    }
}

extension TestWorld {
    /// UDP payload that crossed the air.
    func quicBytes(
        _ direction: PacketDirection,
        after start: SimulationInstant = .zero,
        before end: SimulationInstant = .distantFuture
    ) -> Int {
        log.crossings.filter { $0.at >= start && $0.at < end && $0.packet.direction == direction }
            .reduce(0) { $0 + Int($1.packet.size) - 28 }
    }
}

@Suite struct `QUIC handshake` {
    // Rate without limit, round trip r = 100 ms. The Initial takes r/2, the server's flight r/2; the
    // client's Finished and the request r/2, the answer r/2.
    @Test func `a request on a fresh connection takes two round trips`() {
        let world = TestWorld(settings: .http3)
        world.send()
        world.run(5)
        #expect(world.milliseconds(world.events.finishedAt.first) == 200)
        #expect(world.log.openings.map(\.applicationProtocol) == ["h3"])
        #expect(world.log.openings.map(\.handshake) == [.milliseconds(100)])
        #expect(world.log.openings.map(\.security) == ["tls1.3"])
    }

    // TCP and TLS 1.3 take a round trip each before the request: three.
    @Test func `that is one round trip less than over TCP`() {
        let world = TestWorld()
        world.send()
        world.run(5)
        #expect(world.milliseconds(world.events.finishedAt.first) == 300)
    }

    // With early data the request rides on the first flight: one round trip.
    @Test func `a safe request with early data takes one round trip`() {
        let world = TestWorld(settings: .http3.resuming())
        world.send()
        world.run(5)
        world.send()
        world.run(5)
        #expect(world.milliseconds(world.events.finishedAt.last) == 5_100)
        #expect(world.log.openings.map(\.security) == ["tls1.3", "tls1.3-0rtt"])
        #expect(world.log.openings.map(\.handshake) == [.milliseconds(100), .zero])
        #expect(world.log.crossings.contains { $0.packet.quic.early > 0 })
    }

    // A POST may not be replayed (RFC 8470, 4), nor a PUT or DELETE, idempotent as they are: the first
    // bytes of it leave when the handshake is complete, r later; two round trips.
    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH"])
    func `an unsafe request is never early data`(method: String) {
        let world = TestWorld(settings: .http3.resuming())
        world.send()
        world.run(5)
        world.send(method)
        world.run(5)
        #expect(world.milliseconds(world.events.finishedAt.last) == 5_200)
        #expect(!world.log.crossings.contains { $0.packet.quic.early > 0 })
    }

    // A GET and a POST at once on a resumed session: the GET is answered after r, the POST after 2 r,
    // on the same connection. Over TCP with early data: 2 r and 3 r.
    @Test(arguments: [
        (HTTPClientSettings.ApplicationProtocol.http3, 100.0, 200.0), (.http2, 200, 300),
        (.http1, 200, 300),
    ])
    func `an unsafe request waits for the handshake that a safe one goes ahead of`(
        speaks: HTTPClientSettings.ApplicationProtocol,
        safe: Double,
        unsafe: Double
    ) {
        var settings = HTTPClientSettings.exact.resuming()
        settings.applicationProtocol = speaks
        settings.connectionsPerHost = 1
        let world = TestWorld(settings: settings)
        world.send()
        world.run(5)
        world.send("GET", "/safe")
        world.send("POST", "/unsafe")
        world.run(5)
        #expect(world.server.ended.suffix(2) == ["GET /safe", "POST /unsafe"])
        #expect(
            world.events.finishedAt.suffix(2).map { world.milliseconds($0) }
                == [5_000 + safe, 5_000 + unsafe]
        )
    }

    // A client's datagram with an Initial is at least 1,200 bytes (RFC 9000, 14.1); with UDP and IP 1,228.
    @Test func `the first packet is padded`() throws {
        let world = TestWorld(settings: .http3)
        world.send()
        world.run(0.01)
        let first = try #require(world.log.crossings.first?.packet)
        #expect(first.size == 1_228)
        #expect(first.quic == QUICLayout(initial: 1_200))
    }

    // The server may send 3 x 1,200 bytes before it knows that the client is there. A flight of 5,000
    // waits for the client's first answer: one round trip more. One of 3,000 does not.
    @Test(arguments: [(3_000, 200.0), (5_000, 300.0)])
    func `a long certificate waits for the address to be validated`(flight: Int, ends: Double) {
        var settings = HTTPClientSettings.http3
        settings.quic.serverFlight = flight
        let world = TestWorld(settings: settings)
        world.send()
        world.run(0.12)
        #expect(world.quicBytes(.down) <= 3_600)
        world.run(5)
        #expect(world.milliseconds(world.events.finishedAt.first) == ends)
    }

    // Without a sample, the probe time-out is 333 + 4 x 166.5 = 999 ms (RFC 9002, 6.2.2).
    @Test func `a lost first packet costs 999 ms`() {
        let world = TestWorld(settings: .http3)
        var dropped = false
        world.network.chosenLoss = { _, direction in
            defer { dropped = true }
            return direction == .up && !dropped
        }
        world.send()
        world.run(5)
        #expect(world.milliseconds(world.events.finishedAt.first) == 1_199)
    }

    // Whatever single packet is lost of the first dozen each way, the request ends well, within 2 s.
    @Test(arguments: [PacketDirection.up, .down], 0..<12)
    func `any one packet may be lost`(way: PacketDirection, nth: Int) {
        let world = TestWorld(settings: .http3)
        var count = 0
        world.network.chosenLoss = { _, direction in
            guard direction == way else { return false }
            count += 1
            return count == nth + 1
        }
        world.send("GET", "/bytes/3000")
        world.run(20)
        #expect(world.events.bytes == 3_000)
        #expect(world.events.failures.isEmpty)
        #expect(world.events.finishedAt.allSatisfy { $0.nanoseconds < 2_000_000_000 })
    }

    @Test func `a server that is down is told after one round trip`() {
        let world = TestWorld(settings: .http3)
        world.internet.setAvailability(.refusing, of: "a.example")
        for _ in 0..<3 { world.send() }
        world.run(5)
        #expect(world.events.failures == Array(repeating: .cannotConnectToHost, count: 3))
        #expect(world.events.failedAt.allSatisfy { world.milliseconds($0) == 100 })
    }

    // Nothing is heard: Initials at 0, 1, 3, 7, 15 s and so on, until 30 s are over.
    @Test func `a silent server is given up after the idle time`() {
        let world = TestWorld(settings: .http3)
        world.internet.setAvailability(.silent, of: "a.example")
        world.send()
        world.run(40)
        #expect(world.events.failures == [.timedOut])
        #expect(world.milliseconds(world.events.failedAt.first) == 30_000)
        #expect(world.client.openConnections == 0)
    }

    // QUIC is TLS 1.3 or nothing: a request in clear goes over TCP.
    @Test func `plain text goes over TCP`() {
        let world = TestWorld(settings: .http3)
        world.send(security: .none)
        world.run(5)
        #expect(world.log.openings.map(\.applicationProtocol) == ["http/1.1"])
    }
}
