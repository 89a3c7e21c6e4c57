import Quantities
import Testing
import Trace

@testable import NetworkModel

@Suite struct `Process death` {
    // 1 Mbps: at 1 s about 100 kB are through; the socket holds more, which the system still sends.
    @Test func `a killed process's socket drains and then says FIN`() {
        let world = TestWorld(.plain(rate: .megabitsPerSecond(1)))
        world.send("POST", "/", body: 1_000_000)
        world.run(1)
        let before = world.server.bytesReceived
        let handed = world.events.handedOver
        world.client.processDied()
        world.run(10)
        #expect(world.events.failures.isEmpty && world.events.statuses.isEmpty)
        #expect(world.server.bytesReceived > before)
        #expect(Int64(world.server.bytesReceived) <= handed)
        #expect(world.server.lostRequests == ["POST /"])
        #expect(world.log.closings == [.processDied])
        #expect(
            world.log.crossings.contains { $0.packet.direction == .up && $0.packet.flags & 1 != 0 }
        )
    }

    // The request was whole in the socket: its effect is real, though nobody hears the answer.
    @Test func `a request that the socket held whole is served after the death`() {
        let world = TestWorld()
        world.send("POST", "/orders", body: 500)
        world.run(0.201)
        world.client.processDied()
        world.run(3)
        #expect(world.server.ended == ["POST /orders"])
        #expect(world.events.statuses.isEmpty)
        // The answer finds nobody: a reset goes up.
        #expect(
            world.log.crossings.contains { $0.packet.direction == .up && $0.packet.flags & 4 != 0 }
        )
    }

    @Test func `a loss of power is silent`() {
        let world = TestWorld(.plain(rate: .megabitsPerSecond(1)))
        world.send("POST", "/", body: 1_000_000)
        world.run(1)
        world.client.powerLost()
        let count = world.log.crossings.filter { $0.packet.direction == .up }.count
        world.run(5)
        // At most what the radio already held: no FIN, no reset of the dead.
        let later = world.log.crossings.filter { $0.packet.direction == .up }
        #expect(later.dropFirst(count).allSatisfy { $0.packet.flags & 1 == 0 })
        #expect(world.server.ended.isEmpty)
    }

    // The process lives on, without its sockets.
    @Test(arguments: [HTTPClientSettings.ApplicationProtocol.http1, .http2, .http3])
    func `sockets that the system takes are not those of the dead`(
        speaks: HTTPClientSettings.ApplicationProtocol
    ) {
        var settings = HTTPClientSettings.exact
        settings.applicationProtocol = speaks
        let world = TestWorld(settings: settings)
        world.send("POST", "/", body: 100_000)
        world.run(0.3)
        world.client.reclaimSockets()
        #expect(world.log.closings == [.reclaimed])
        #expect(world.events.failures == [.networkConnectionLost])
    }
}
