import HTTPVocabulary
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

@Suite struct `QUIC streams` {
    private func world(_ speaks: HTTPClientSettings.ApplicationProtocol) -> TestWorld {
        var settings = HTTPClientSettings.exact
        settings.applicationProtocol = speaks
        return TestWorld(settings: settings)
    }

    // Two answers, of 4,000 and 2,000 bytes; the first full packet after the handshake is lost. It holds
    // bytes of the first answer. HTTP/3: the second is whole when it would have been without the loss
    // (at 200 ms), the first a round trip later: its gap is seen by the packets behind it. HTTP/2: TCP
    // gives bytes in order, so neither is whole before the repair; 300 ms would be the time without.
    @Test(arguments: [
        (HTTPClientSettings.ApplicationProtocol.http3, 200.0, 1), (.http2, 300, 0),
    ])
    func `a lost packet holds back one stream of HTTP_3 and all of HTTP_2`(
        speaks: HTTPClientSettings.ApplicationProtocol,
        due: Double,
        whole: Int
    ) {
        let world = world(speaks)
        var dropped = false
        let start = SimulationInstant(nanoseconds: Int64((due - 1) * 1e6))
        world.network.chosenLoss = { [simulation = world.simulation] packet, direction in
            guard direction == .down, !dropped, simulation.instant >= start, packet.payload > 1_200
            else { return false }
            dropped = true
            return true
        }
        world.send("GET", "/bytes/4000")
        world.send("GET", "/bytes/2000")
        world.run(5)
        #expect(dropped)
        #expect(world.events.bytes == 6_000)
        let ends = world.events.finishedAt.map { world.milliseconds($0) ?? 0 }
        #expect(ends.count { $0 == due } == whole)
        #expect(ends.allSatisfy { $0 == due || ($0 >= due + 100 && $0 < due + 300) })
    }

    // 1 MB at 10 Mbps is 0.8 s and more; a small answer takes its turn.
    @Test func `a small answer overtakes a large one`() throws {
        let world = TestWorld(
            .plain(rate: .megabitsPerSecond(10), rtt: .milliseconds(50)),
            settings: .http3
        )
        world.send("GET", "/bytes/1000000")
        world.run(0.3)
        world.send("GET", "/bytes/1000")
        world.run(10)
        #expect(world.events.bytes == 1_001_000)
        #expect(try #require(world.milliseconds(world.events.finishedAt.first)) < 600)
        #expect(world.log.openings.count == 1)
    }

    @Test func `a cancelled stream leaves the others alone`() {
        let world = TestWorld(
            .plain(rate: .megabitsPerSecond(1), rtt: .milliseconds(50)),
            settings: .http3
        )
        let token = world.send("POST", "/a", body: 500_000)
        world.send("POST", "/b", body: 100_000)
        world.run(1)
        world.client.cancel(token)
        world.run(20)
        #expect(world.events.statuses == [200])
        #expect(world.server.ended == ["POST /b"])
        #expect(world.server.lostRequests == ["POST /a"])
        #expect(world.log.openings.count == 1)
    }

    // Sixty downloads of 1 MB are given up on one connection: each leaves bytes unread. If those were not
    // counted as read by both ends, 15 MiB of connection window would be gone after some of them.
    @Test func `streams that are given up take no flow control with them`() {
        let world = TestWorld(
            .plain(rate: .megabitsPerSecond(50), rtt: .milliseconds(40)),
            settings: .http3
        )
        for _ in 0..<60 {
            let token = world.send("GET", "/bytes/1000000")
            world.run(0.5)
            world.client.cancel(token)
            world.run(0.1)
        }
        let before = world.events.finishedAt.count
        world.send("GET", "/bytes/2000000")
        world.run(10)
        #expect(world.events.finishedAt.count == before + 1)
        #expect(world.log.openings.count == 1)
    }

    // A body that nobody pulls stops at the stream's window of 16 KiB, and goes on as it is pulled.
    @Test func `an unread body holds its stream back, and only that`() {
        var settings = HTTPClientSettings.http3
        settings.quic.streamWindow = 16_384
        settings.quic.connectionWindow = 65_536
        let world = TestWorld(settings: settings)
        let token = world.send("GET", "/bytes/100000", pullsBody: true)
        world.run(3)
        #expect(world.quicBytes(.down) < 16_384 + 6_000)
        world.send("GET", "/bytes/50000")
        world.run(3)
        #expect(world.events.finishedAt.count == 1)
        for _ in 0..<2_000 {
            world.client.pull(token)
            world.run(0.02)
        }
        #expect(world.events.bytes == 150_000)
        #expect(world.events.finishedAt.count == 2)
    }

    @Test func `a lost response has its effect at the server`() {
        let world = TestWorld(settings: .http3)
        world.network.intercept(
            ExchangeInterception(nth: 1, loss: .response(afterBytes: 0), matches: { _ in true })
        )
        world.send("POST", "/", body: 100)
        world.run(5)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.server.ended == ["POST /"])
    }

    @Test(arguments: [ExchangeInterception.Aftermath.reset, .blackhole])
    func `a lost request never reaches the server`(aftermath: ExchangeInterception.Aftermath) {
        let world = TestWorld(settings: .http3)
        world.network.intercept(
            ExchangeInterception(
                nth: 1,
                loss: .request,
                aftermath: aftermath,
                matches: { _ in true }
            )
        )
        world.send("POST", "/", body: 100)
        world.run(70)
        #expect(
            world.events.failures == [aftermath == .reset ? .networkConnectionLost : .timedOut]
        )
        #expect(world.server.begun.isEmpty)
    }

    // Head and two pieces of 4,096 get through of 20,000 bytes, then the connection is closed.
    @Test func `a response is cut where it is asked`() {
        let world = TestWorld(settings: .http3)
        world.network.intercept(
            ExchangeInterception(
                nth: 1,
                loss: .response(afterBytes: 10_000),
                matches: { _ in true }
            )
        )
        world.send("POST", "/bytes/20000", body: 10)
        world.run(5)
        #expect(world.events.statuses == [200])
        #expect(world.events.bytes == 8_192)
        #expect(world.events.failures == [.networkConnectionLost])
    }

    // 200,000 bytes with the head are 48 pieces of 4,096, three times what the server keeps unsent.
    @Test func `a response is cut late where that is asked`() {
        let world = TestWorld(.plain(rate: .megabitsPerSecond(10)), settings: .http3)
        world.network.intercept(
            ExchangeInterception(
                nth: 1,
                loss: .response(afterBytes: 200_000),
                matches: { _ in true }
            )
        )
        world.send("POST", "/bytes/300000", body: 10)
        world.run(10)
        #expect(world.events.bytes == 196_608)
        #expect(world.events.failures == [.networkConnectionLost])
    }

    // 1 MB at 1 Mbps takes 8 s and is acknowledged all the while; the other request hears nothing after its
    // own head was acknowledged, some 0.3 s after the start.
    @Test func `progress of one stream is none of another`() throws {
        let world = TestWorld(.plain(rate: .megabitsPerSecond(1)), settings: .http3)
        world.server.isMute = true
        world.send("GET", "/silence", idleTimeout: .seconds(3))
        world.send("POST", "/upload", body: 1_000_000)
        world.run(8)
        #expect(world.events.failures == [.timedOut])
        let at = try #require(world.milliseconds(world.events.failedAt.first))
        #expect(at > 3_200 && at < 4_000)
        #expect(world.server.bytesReceived > 700_000)
    }
}
