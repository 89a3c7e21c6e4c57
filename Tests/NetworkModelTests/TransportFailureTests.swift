import HTTPVocabulary
import Quantities
import Testing
import Trace

@testable import NetworkModel

@Suite struct `Transport failures` {
    private func outage(_ kind: PathInterruption.Kind, at: Int64, for span: Int64)
        -> NetworkConditions
    {
        .plain(interruptions: [
            PathInterruption(at: .seconds(at), duration: .seconds(span), kind: kind)
        ])
    }

    @Test func `no route fails at once, and no packet is sent`() {
        let world = TestWorld(outage(.down, at: 0, for: 100))
        world.send()
        world.run(1)
        #expect(world.events.failures == [.notConnectedToInternet])
        #expect(world.events.failedAt == [.zero])
        #expect(world.log.crossings.isEmpty && world.log.losses.isEmpty)
    }

    // The SYN and its repetitions vanish; 10 s after the start nothing has moved.
    @Test func `a blackhole times out at the idle time`() {
        let world = TestWorld(outage(.blackhole, at: 0, for: 100))
        world.send(idleTimeout: .seconds(10))
        world.run(20)
        #expect(world.events.failures == [.timedOut])
        #expect(world.milliseconds(world.events.failedAt.first) == 10_000)
        #expect(world.log.losses.allSatisfy { $0.cause == .blackhole })
    }

    @Test func `the connect time is shorter than the idle time`() {
        let world = TestWorld(outage(.blackhole, at: 0, for: 100))
        world.send(idleTimeout: .seconds(60), connectTimeout: .seconds(3))
        world.run(5)
        #expect(world.events.failures == [.timedOut])
        #expect(world.milliseconds(world.events.failedAt.first) == 3_000)
    }

    // Mid-upload: the last acknowledgement comes about when the hole opens at 2 s.
    @Test func `a blackhole in an upload times out after the last acknowledgement`() throws {
        let world = TestWorld(
            .plain(
                rate: .megabitsPerSecond(1),
                interruptions: [
                    .init(at: .seconds(2), duration: .seconds(500), kind: .blackhole)
                ]
            )
        )
        world.send("POST", "/", body: 4_000_000, idleTimeout: .seconds(30))
        world.run(60)
        #expect(world.events.failures == [.timedOut])
        let at = try #require(world.milliseconds(world.events.failedAt.first))
        #expect((31_900...32_200).contains(at))
    }

    // The hole lasts 5 s, less than the idle time: TCP goes on by itself.
    @Test func `a short blackhole is survived`() {
        let world = TestWorld(
            .plain(
                rate: .megabitsPerSecond(2),
                interruptions: [.init(at: .seconds(1), duration: .seconds(5), kind: .blackhole)]
            )
        )
        world.send("POST", "/", body: 1_000_000, idleTimeout: .seconds(30))
        world.run(60)
        #expect(world.events.failures.isEmpty)
        #expect(world.events.statuses == [200])
        #expect(world.server.bytesReceived == 1_000_000)
    }

    // A refused SYN is known after one round trip.
    @Test func `a server that is down is told by a reset`() {
        let world = TestWorld()
        world.internet.setAvailability(.refusing, of: "a.example")
        world.send()
        world.run(1)
        #expect(world.events.failures == [.cannotConnectToHost])
        #expect(world.milliseconds(world.events.failedAt.first) == 100)
    }

    // SYNs at 0, 1, 2, 3 and 4 s, as four of them repeat linearly.
    @Test func `a silent server times out, with a SYN a second`() {
        let world = TestWorld()
        world.internet.setAvailability(.silent, of: "a.example")
        world.send(idleTimeout: .milliseconds(4_500))
        world.run(10)
        #expect(world.events.failures == [.timedOut])
        let syns = world.log.crossings.filter { $0.packet.flags == 2 }
        #expect(syns.map { world.milliseconds($0.at) } == [0, 1_000, 2_000, 3_000, 4_000])
    }

    @Test func `a name that nobody has fails the lookup`() {
        let world = TestWorld(.plain(nameLookup: .milliseconds(120)))
        world.send(host: "nowhere.example")
        world.run(1)
        #expect(world.events.failures == [.dnsLookupFailed])
        #expect(world.milliseconds(world.events.failedAt.first) == 120)
    }

    // Queries at 0, 1, 3 and 7 s, given up at 15 s.
    @Test func `a resolver that cannot be reached fails the lookup`() {
        let world = TestWorld(
            .plain(
                interruptions: [.init(at: .zero, duration: .seconds(99), kind: .blackhole)],
                nameLookup: .milliseconds(20)
            )
        )
        world.send()
        world.run(20)
        #expect(world.events.failures == [.dnsLookupFailed])
        #expect(world.milliseconds(world.events.failedAt.first) == 15_000)
        #expect(world.log.crossings.count == 4)
    }

    @Test func `a server that aborts breaks the connection`() {
        let world = TestWorld()
        world.server.isMute = true
        world.send("POST", "/", body: 100)
        world.run(1)
        world.server.kept.first?.abort()
        world.run(1)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.milliseconds(world.events.failedAt.first) == 1_050)
    }

    @Test func `a cancelled request is told nothing, and the server sees a reset`() {
        let world = TestWorld()
        world.server.isMute = true
        let token = world.send("POST", "/", body: 100)
        world.run(1)
        world.client.cancel(token)
        world.run(1)
        #expect(world.events.failures.isEmpty && world.events.statuses.isEmpty)
        #expect(world.server.lostRequests == ["POST /"])
        #expect(world.client.openConnections == 0)
    }

    // The change of address at 1 s: the phone knows, the server is told nothing. In the gap of 1.2 s
    // there is no route; after it the next request opens a connection of its own.
    @Test func `a handover to a new address breaks connections without a FIN`() {
        let link = LinkDirection(rate: .megabitsPerSecond(1))
        let conditions = NetworkConditions(phases: [
            NetworkPhase(
                name: "street",
                duration: .seconds(1),
                down: link,
                up: link,
                rtt: .milliseconds(50)
            ),
            NetworkPhase(
                name: "office",
                interface: .wifi,
                down: link,
                up: link,
                rtt: .milliseconds(20),
                handover: Handover(gap: .milliseconds(1_200), newAddress: true)
            ),
        ])
        let world = TestWorld(conditions)
        world.send("POST", "/", body: 4_000_000)
        world.run(1)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.milliseconds(world.events.failedAt.first) == 1_000)
        #expect(world.log.closings == [.addressLost])
        world.run(0.5)
        world.send()
        world.run(0.5)
        #expect(world.events.failures == [.networkConnectionLost, .notConnectedToInternet])
        world.run(1)
        world.send()
        world.run(1)
        #expect(world.events.statuses == [200])
        #expect(world.network.path.interface == .wifi)
        // No FIN and no reset went up, and the server has not noticed.
        let told = world.log.crossings.filter { $0.packet.flags & 5 != 0 }
        #expect(told.isEmpty)
        #expect(world.server.lostRequests.isEmpty)
        #expect(world.log.losses.contains { $0.cause == .oldAddress })
    }

    @Test func `a portal answers plain text and refuses TLS`() {
        let world = TestWorld(outage(.captive, at: 0, for: 100))
        world.send(security: .none)
        world.send(security: .tls13)
        world.run(2)
        #expect(world.events.statuses == [200])
        #expect(world.events.bytes > 0)
        #expect(world.events.failures == [.cannotConnectToHost])
        #expect(world.server.begun.isEmpty)
    }

    // The server closes an idle connection; a GET on it is sent again, a POST is not.
    @Test(arguments: [("GET", true), ("POST", false)])
    func `a reused connection that breaks is tried again where that is harmless`(
        method: String,
        survives: Bool
    ) {
        let world = TestWorld()
        world.send()
        world.run(1)
        // The server's end vanishes: its next word to this connection will be a reset.
        world.network.restartServers()
        world.send(method, "/")
        world.run(3)
        #expect(world.events.statuses.count == (survives ? 2 : 1))
        #expect(world.events.failures == (survives ? [] : [.networkConnectionLost]))
    }
}
