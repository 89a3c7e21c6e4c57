import HTTPVocabulary
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

@Suite struct `QUIC paths` {
    /// 10 Mbps and 100 ms; the second phase begins after `first`, with another address.
    private func handover(
        after first: Duration,
        gap: Duration = .zero,
        back: Duration? = nil
    ) -> NetworkConditions {
        let link = LinkDirection(rate: .megabitsPerSecond(10), queue: 1_000)
        func phase(_ name: String, _ interface: NetworkInterface) -> NetworkPhase {
            NetworkPhase(
                name: name,
                interface: interface,
                down: link,
                up: link,
                rtt: .milliseconds(100)
            )
        }
        var home = phase("wifi", .wifi)
        home.duration = first
        var away = phase("cell", .cellular)
        away.handover = Handover(gap: gap, newAddress: true)
        away.duration = back
        guard back != nil else { return NetworkConditions(phases: [home, away]) }
        var again = phase("wifi again", .wifi)
        again.handover = Handover(gap: gap, newAddress: true)
        return NetworkConditions(phases: [home, away, again])
    }

    private func speaking(
        _ speaks: HTTPClientSettings.ApplicationProtocol,
        migrates: Bool = true
    ) -> HTTPClientSettings {
        var settings = HTTPClientSettings.exact
        settings.applicationProtocol = speaks
        settings.quic.migrates = migrates
        return settings
    }

    // At 600 ms the phone has another address. Its PING is at the server r/2 later, and the first bytes
    // for the new address at the phone r later: at 700 ms, and 1.2 ms for the packet itself.
    @Test func `a download goes on one round trip after a change of address`() throws {
        let world = TestWorld(handover(after: .milliseconds(600)), settings: speaking(.http3))
        world.send("GET", "/bytes/1000000")
        world.run(20)
        let change = SimulationInstant(nanoseconds: 600_000_000)
        let first = try #require(
            world.log.crossings.first { $0.at > change && $0.packet.direction == .down }
        )
        let wait = (first.at - change).wholeNanoseconds
        #expect(wait >= 100_000_000 && wait < 103_000_000)
        #expect(world.events.bytes == 1_000_000)
        #expect(world.events.failures.isEmpty)
        #expect(world.log.openings.count == 1)
    }

    // The server has one datagram of 1,200 bytes from the new address until the phone answers its
    // challenge, r/2 + r + r/2 after the change: it may send 3,600 (RFC 9000, 8.1 and 9.3).
    @Test func `the server trusts a new address with three times what came from it`() {
        let world = TestWorld(handover(after: .milliseconds(600)), settings: speaking(.http3))
        world.send("GET", "/bytes/3000000")
        world.run(20)
        let change = SimulationInstant(nanoseconds: 600_000_000)
        let early = world.quicBytes(.down, after: change, before: change + .milliseconds(199))
        #expect(early > 1_200 && early <= 3_600)
        #expect(world.quicBytes(.down, after: change, before: change + .milliseconds(400)) > 3_600)
        #expect(world.events.bytes == 3_000_000)
    }

    // The same over TCP breaks at once; and so does QUIC that may not migrate.
    @Test(arguments: [
        (HTTPClientSettings.ApplicationProtocol.http1, true), (.http2, true), (.http3, false),
    ])
    func `without migration the download is lost`(
        speaks: HTTPClientSettings.ApplicationProtocol,
        migrates: Bool
    ) {
        let world = TestWorld(
            handover(after: .milliseconds(600)),
            settings: speaking(speaks, migrates: migrates)
        )
        world.send("GET", "/bytes/1000000")
        world.run(20)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.milliseconds(world.events.failedAt.first) == 600)
        #expect(world.events.finishedAt.isEmpty)
    }

    // Upload across a gap of 2 s: it goes on when there is a route again.
    @Test func `an upload survives a gap and a new address`() {
        let world = TestWorld(
            handover(after: .milliseconds(600), gap: .seconds(2)),
            settings: speaking(.http3)
        )
        world.send("POST", "/a", body: 1_000_000)
        world.run(20)
        #expect(world.server.bytesReceived == 1_000_000)
        #expect(world.server.ended == ["POST /a"])
        #expect(world.events.statuses == [200])
        // 1 MB at 10 Mbps is 0.8 s; 0.6 s of it before the gap. Slow start on the new path takes a few
        // round trips: done 2 s after the end of the gap.
        let ends = world.milliseconds(world.events.finishedAt.first) ?? .infinity
        #expect(ends > 2_700 && ends < 4_600)
    }

    @Test func `from Wi-Fi to cellular and back is one connection`() {
        let world = TestWorld(
            handover(after: .milliseconds(600), back: .seconds(1)),
            settings: speaking(.http3)
        )
        world.send("GET", "/bytes/2500000")
        world.run(20)
        #expect(world.events.bytes == 2_500_000)
        #expect(world.log.openings.count == 1)
        let changes = world.log.records.compactMap {
            if case .pathChanged(let change) = $0.observation { change.interface } else { nil }
        }
        #expect(changes == ["wifi", "cellular", "wifi"])
        #expect(Set(world.log.crossings.map(\.packet.connection)) == [1])
    }

    // Nobody waits for anything: a change of address says nothing, and costs no radio. The next request
    // goes on the same connection, from the new address: one round trip.
    @Test func `an idle connection moves with its next request`() {
        let world = TestWorld(handover(after: .seconds(5)), settings: speaking(.http3))
        world.send()
        world.run(4)
        let before = world.log.crossings.count
        world.run(2)
        #expect(world.log.crossings.count == before)
        world.send()
        world.run(1)
        let ends = world.milliseconds(world.events.finishedAt.last) ?? 0
        #expect(ends >= 6_100 && ends < 6_105)
        #expect(world.log.openings.count == 1)
    }

    // Both ends forget it after 30 s without a packet, and no packet says so: TCP would send FINs.
    @Test func `an idle connection ends without a word`() {
        let world = TestWorld(settings: speaking(.http3))
        world.send()
        world.run(5)
        let before = world.log.crossings.count
        world.run(60)
        #expect(world.log.crossings.count == before)
        #expect(world.client.openConnections == 0)
        #expect(world.log.closings == [.idle])
        #expect(world.network.slots.allSatisfy { $0.quic == nil })
    }

    // The server thinks for 70 s. PINGs every 15 s keep the connection; without them it is forgotten at
    // 30 s after the last packet, about 30.2 s.
    @Test(arguments: [true, false])
    func `an open request keeps its connection alive`(keepsAlive: Bool) throws {
        var settings = speaking(.http3)
        if !keepsAlive { settings.quic.keepAlive = nil }
        let world = TestWorld(settings: settings)
        world.server.thinks = .seconds(70)
        world.send(idleTimeout: .seconds(300))
        world.run(100)
        if keepsAlive {
            #expect(world.milliseconds(world.events.finishedAt.first) == 70_200)
        } else {
            #expect(world.events.failures == [.timedOut])
            let at = try #require(world.milliseconds(world.events.failedAt.first))
            #expect(at > 30_100 && at < 30_500)
        }
    }

    // A server that restarts knows nothing of the connection: a stateless reset, one round trip later.
    @Test func `a restarted server answers with a stateless reset`() {
        let world = TestWorld(settings: speaking(.http3))
        world.send()
        world.run(5)
        world.network.restartServers()
        world.send("POST", "/", body: 10)
        world.run(5)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.milliseconds(world.events.failedAt.first) == 5_100)
    }

    // The kernel knows no QUIC: what the process had not sent is gone, and nobody is told. The server
    // hears nothing for 30 s, and gives the request up.
    @Test func `a dead process leaves its server waiting`() {
        let world = TestWorld(
            .plain(rate: .megabitsPerSecond(1), rtt: .milliseconds(100)),
            settings: speaking(.http3)
        )
        world.send("POST", "/a", body: 500_000)
        world.run(1)
        world.client.processDied()
        // What stands in the phone's queue still leaves.
        world.run(5)
        let crossed = world.log.crossings.count { $0.packet.direction == .up }
        #expect(world.server.bytesReceived < 400_000)
        world.run(20)
        #expect(world.server.lostRequests.isEmpty)
        world.run(20)
        #expect(world.server.lostRequests == ["POST /a"])
        #expect(world.log.crossings.count { $0.packet.direction == .up } == crossed)
        #expect(world.network.slots.allSatisfy { $0.quic == nil })
    }

    // The server refuses, or answers nothing; or no datagram comes through. The phone gives up, at the
    // latest after 30 s, and nothing of the connection is kept at either end.
    @Test(arguments: [Internet.Availability.refusing, .silent, .up])
    func `a server that was never spoken to is forgotten`(availability: Internet.Availability) {
        let world = TestWorld(settings: speaking(.http3))
        world.internet.setAvailability(availability, of: "a.example")
        if availability == .up { world.network.interrupt(.blackhole, for: .seconds(100)) }
        world.send()
        world.run(0.05)
        #expect(world.network.slots.contains { $0.quic != nil })
        world.run(120)
        #expect(world.events.failures.count == 1)
        #expect(world.network.slots.allSatisfy { $0.quic == nil })
    }
}
