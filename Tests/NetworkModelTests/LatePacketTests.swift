import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

/// Packets that are still on their way when both ends of their connection are gone.
@Suite struct `Late packets` {
    // 1 Mbps and a queue of 100: at 3 s a download has filled tens of it. Phone and server lose power; what
    // waits at the base station still crosses.
    @Test(arguments: [
        HTTPClientSettings.ApplicationProtocol.http1, .http2, .http3,
    ])
    func `they keep their owner and their kind`(
        speaks: HTTPClientSettings.ApplicationProtocol
    ) {
        var settings = HTTPClientSettings.exact
        settings.applicationProtocol = speaks
        let world = TestWorld(.plain(rate: .megabitsPerSecond(1)), settings: settings)
        world.send("GET", "/bytes/5000000")
        world.run(3)
        world.client.powerLost()
        world.network.restartServers()
        let end = world.simulation.instant
        world.run(60)
        let late = world.log.crossings.filter { $0.at > end && $0.packet.direction == .down }
        #expect(late.count > 10)
        #expect(late.allSatisfy { $0.packet.owner == "GET /bytes/5000000" })
        #expect(late.allSatisfy { ($0.packet.quic != .none) == (speaks == .http3) })
        #expect(world.network.slots.allSatisfy { $0.quic == nil && $0.connection == nil })
    }
}
