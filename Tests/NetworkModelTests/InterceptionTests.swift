import HTTPVocabulary
import Quantities
import Testing
import Trace

@testable import NetworkModel

@Suite struct Interceptions {
    private func arm(
        _ world: TestWorld,
        _ loss: ExchangeInterception.Loss,
        _ aftermath: ExchangeInterception.Aftermath,
        nth: Int = 1
    ) {
        world.network.intercept(
            ExchangeInterception(
                nth: nth,
                loss: loss,
                aftermath: aftermath,
                matches: { $0.method == "POST" },
                fired: { _ in world.events.handedOver = -1 }
            )
        )
    }

    @Test func `a lost response has its effect at the server`() {
        let world = TestWorld()
        arm(world, .response(afterBytes: 0), .reset)
        world.send("POST", "/orders", body: 200)
        world.run(2)
        #expect(world.server.ended == ["POST /orders"])
        #expect(world.server.bytesReceived == 200)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.events.statuses.isEmpty)
        #expect(world.events.handedOver == -1)
        #expect(world.server.lostRequests.isEmpty)
    }

    @Test func `a lost response without a reset is waited for`() {
        let world = TestWorld()
        arm(world, .response(afterBytes: 0), .blackhole)
        world.send("POST", "/orders", body: 200, idleTimeout: .seconds(5))
        world.run(20)
        #expect(world.server.ended == ["POST /orders"])
        #expect(world.events.failures == [.timedOut])
    }

    // Head and one record of 16,384 bytes get through; the rest does not.
    @Test func `a response is cut where it is asked`() {
        let world = TestWorld()
        arm(world, .response(afterBytes: 20_000), .reset)
        world.send("POST", "/bytes/50000", body: 10)
        world.run(2)
        #expect(world.events.statuses == [200])
        #expect(world.events.bytes == 16_384)
        #expect(world.events.failures == [.networkConnectionLost])
    }

    @Test(arguments: [ExchangeInterception.Aftermath.reset, .blackhole])
    func `a lost request is never seen`(aftermath: ExchangeInterception.Aftermath) {
        let world = TestWorld()
        arm(world, .request, aftermath)
        world.send("POST", "/orders", body: 200, idleTimeout: .seconds(5))
        world.run(20)
        #expect(world.server.begun.isEmpty)
        #expect(
            world.events.failures
                == [aftermath == .reset ? .networkConnectionLost : .timedOut]
        )
    }

    /// The body comes in records, frames or pieces of 4,096 bytes and more; the cut is at the byte all the same.
    @Test(
        arguments: [HTTPClientSettings.ApplicationProtocol.http1, .http2, .http3],
        [ExchangeInterception.Aftermath.reset, .blackhole]
    )
    func `of a request's body as much arrives as is asked`(
        speaks: HTTPClientSettings.ApplicationProtocol,
        aftermath: ExchangeInterception.Aftermath
    ) {
        let world = TestWorld(settings: speaking(speaks))
        arm(world, .requestBody(afterBytes: 5_000), aftermath)
        world.send("POST", "/orders", body: 20_000, idleTimeout: .seconds(5))
        world.run(20)
        #expect(world.server.bytesReceived == 5_000)
        #expect(world.server.begun == ["POST /orders"])
        #expect(world.server.ended.isEmpty)
        #expect(
            world.events.failures
                == [aftermath == .reset ? .networkConnectionLost : .timedOut]
        )
        // A server whose connection breaks knows; one that hears nothing more does not, for now.
        #expect(world.server.lostRequests == (aftermath == .reset ? ["POST /orders"] : []))
    }

    // Handshakes 200 ms: the body is on its way then, and at the server at 250. The phone's address goes at
    // 220, and with it the client's end of the connection.
    @Test(arguments: [HTTPClientSettings.ApplicationProtocol.http1, .http2])
    func `a body is cut though its sender is gone`(
        speaks: HTTPClientSettings.ApplicationProtocol
    ) {
        let world = TestWorld(settings: speaking(speaks))
        arm(world, .requestBody(afterBytes: 5_000), .blackhole)
        world.send("POST", "/orders", body: 10_000)
        world.run(0.22)
        world.network.dropConnections()
        #expect(world.client.openConnections == 0)
        #expect(world.server.begun.isEmpty)
        world.run(1)
        #expect(world.server.bytesReceived == 5_000)
        #expect(world.server.ended.isEmpty)
    }

    // Two requests share a connection. The second's fault breaks it, when the first has been read.
    @Test(arguments: [HTTPClientSettings.ApplicationProtocol.http2, .http3])
    func `a lost request is the one that is meant`(
        speaks: HTTPClientSettings.ApplicationProtocol
    ) {
        let world = TestWorld(settings: speaking(speaks))
        world.server.isMute = true
        arm(world, .request, .reset)
        world.send("GET", "/first")
        world.send("POST", "/second", body: 10)
        world.run(5)
        #expect(world.server.begun == ["GET /first"])
        #expect(world.server.lostRequests == ["GET /first"])
        #expect(world.events.failures == [.networkConnectionLost, .networkConnectionLost])
    }

    // Both bodies are to be cut; the later request's is shorter than its cut, and takes nothing from the
    // other's. Over HTTP/2 the long body was written first, over HTTP/3 the two take turns.
    @Test(arguments: [HTTPClientSettings.ApplicationProtocol.http2, .http3])
    func `each request of a connection has its own cut`(
        speaks: HTTPClientSettings.ApplicationProtocol
    ) {
        let world = TestWorld(settings: speaking(speaks))
        arm(world, .requestBody(afterBytes: 50_000), .reset)
        arm(world, .requestBody(afterBytes: 5_000), .blackhole, nth: 2)
        world.send("POST", "/long", body: 60_000)
        world.send("POST", "/short", body: 4_000)
        world.run(5)
        let passesShort = speaks == .http3
        #expect(world.server.ended == (passesShort ? ["POST /short"] : []))
        #expect(world.server.bytesReceived == (passesShort ? 54_000 : 50_000))
        #expect(world.server.lostRequests == ["POST /long"])
    }

    private func speaking(
        _ speaks: HTTPClientSettings.ApplicationProtocol
    ) -> HTTPClientSettings {
        var settings = HTTPClientSettings.exact
        settings.applicationProtocol = speaks
        return settings
    }

    @Test func `a body that is shorter than the cut arrives whole`() {
        let world = TestWorld()
        arm(world, .requestBody(afterBytes: 5_000), .reset)
        world.send("POST", "/orders", body: 200)
        world.run(2)
        #expect(world.server.ended == ["POST /orders"])
        #expect(world.events.failures.isEmpty)
    }

    @Test func `a response that ends early in good order is no success`() {
        let world = TestWorld()
        arm(world, .response(afterBytes: 20_000), .close)
        world.send("POST", "/bytes/50000", body: 10)
        world.run(2)
        #expect(world.events.statuses == [200])
        #expect(world.events.bytes == 16_384)
        #expect(world.events.failures == [.networkConnectionLost])
    }

    @Test func `a shortened response looks whole`() {
        let world = TestWorld()
        arm(world, .response(afterBytes: 20_000), .shortened)
        world.send("POST", "/bytes/50000", body: 10)
        world.run(2)
        #expect(world.events.statuses == [200])
        #expect(world.events.bytes == 20_000)
        #expect(world.events.failures.isEmpty)
    }

    @Test func `only the nth that matches is lost, once`() {
        let world = TestWorld()
        arm(world, .response(afterBytes: 0), .reset, nth: 2)
        for _ in 0..<4 {
            world.send("GET", "/")
            world.send("POST", "/", body: 5)
            world.run(2)
        }
        #expect(world.events.statuses.count == 7)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.server.ended.count == 8)
    }
}
