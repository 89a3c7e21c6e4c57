import HTTPVocabulary
import Quantities
import Testing
import Trace

@testable import NetworkModel

@Suite struct Multiplexing {
    private var settings: HTTPClientSettings {
        var settings = HTTPClientSettings.exact
        settings.applicationProtocol = .http2
        return settings
    }

    private func world(_ conditions: NetworkConditions = .plain(rtt: .milliseconds(150)))
        -> TestWorld
    {
        let world = TestWorld(conditions, settings: settings)
        world.server.thinks = .milliseconds(100)
        for number in 0..<5 {
            world.internet.register("h\(number).example", responder: world.server)
        }
        return world
    }

    // F14. RTT 150 ms, 100 ms at the server. On a fresh connection: TCP 150, TLS 1.3 150, exchange
    // 150, server 100 = 550 ms; five one after another 2,750.
    @Test func `five calls one after another on fresh connections take 2,750 ms`() {
        let world = world()
        var next = 1
        world.events.whenFinished = {
            guard next < 5 else { return }
            world.send(host: "h\(next).example")
            next += 1
        }
        world.send(host: "h0.example")
        world.run(10)
        #expect(world.events.finishedAt.count == 5)
        #expect(world.milliseconds(world.events.finishedAt.last) == 2_750.0)
    }

    // All at once: 550 ms if the connection must be opened, 250 on a warm one.
    @Test func `five calls at once take 550 ms cold and 250 ms warm, on one connection`() {
        let world = world()
        for _ in 0..<5 { world.send() }
        world.run(5)
        #expect(
            world.events.finishedAt.map { world.milliseconds($0) }
                == Array(repeating: 550.0, count: 5)
        )
        for _ in 0..<5 { world.send() }
        world.run(5)
        #expect(world.milliseconds(world.events.finishedAt.last) == 5_250.0)
        #expect(world.log.openings.map(\.applicationProtocol) == ["h2"])
    }

    // A small answer does not wait for a large one that was asked for before it: 1 MB at 10 Mbps is
    // 0.8 s and more; the frames take turns.
    @Test func `a small answer overtakes a large one`() throws {
        let world = TestWorld(
            .plain(rate: .megabitsPerSecond(10), rtt: .milliseconds(50)),
            settings: settings
        )
        world.send("GET", "/bytes/1000000")
        world.run(0.3)
        world.send("GET", "/bytes/1000")
        world.run(10)
        #expect(world.events.bytes == 1_001_000)
        let first = try #require(world.milliseconds(world.events.finishedAt.first))
        #expect(first < 600)
    }

    // One lost packet of the first answer holds back the second, whose packets have all arrived:
    // TCP gives them in order. Without the loss both are there after 300 ms.
    @Test func `one lost packet holds back every stream behind it`() {
        let world = TestWorld(.plain(rtt: .milliseconds(100)), settings: settings)
        var dropped = false
        world.network.chosenLoss = { packet, direction in
            guard direction == .down, packet.payload == 1_448, packet.sequence > 4_000, !dropped
            else { return false }
            dropped = true
            return true
        }
        world.send("GET", "/bytes/4000")
        world.send("GET", "/bytes/2000")
        world.run(5)
        #expect(dropped)
        #expect(world.events.bytes == 6_000)
        #expect(world.events.finishedAt.allSatisfy { $0.nanoseconds > 390_000_000 })
    }

    @Test func `a cancelled stream leaves the others alone`() {
        let world = TestWorld(
            .plain(rate: .megabitsPerSecond(1), rtt: .milliseconds(50)),
            settings: settings
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

    @Test func `a broken connection fails every stream`() {
        let world = world()
        for _ in 0..<3 { world.send("POST", "/", body: 10) }
        world.run(0.35)
        world.network.dropConnections()
        world.run(5)
        #expect(world.events.failures == Array(repeating: .networkConnectionLost, count: 3))
    }

    @Test func `a refused connection fails all that waited for it`() {
        let world = world()
        world.internet.setAvailability(.refusing, of: "a.example")
        for _ in 0..<3 { world.send() }
        world.run(2)
        #expect(world.events.failures == Array(repeating: .cannotConnectToHost, count: 3))
    }
}
