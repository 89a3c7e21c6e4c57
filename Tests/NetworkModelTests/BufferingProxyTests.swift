import HTTPVocabulary
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

/// A middlebox that takes a request whole before the origin sees any of it.
@Suite struct `Buffering proxy` {
    private func world(
        _ proxy: ProxySettings?,
        _ speaks: HTTPClientSettings.ApplicationProtocol = .http1,
        rate: BitRate = .unlimited
    ) -> TestWorld {
        var conditions = NetworkConditions.plain(rate: rate, rtt: .milliseconds(100))
        conditions.phases[0].proxy = proxy
        var settings = HTTPClientSettings.exact
        settings.applicationProtocol = speaks
        return TestWorld(conditions, settings: settings)
    }

    // TCP and TLS 200 ms, the request 50; the proxy has it at 250, the origin 20 later, the proxy has the
    // answer at 290 and the phone at 340: 300 and the origin's round trip.
    @Test(arguments: [HTTPClientSettings.ApplicationProtocol.http1, .http2])
    func `it adds the origin's round trip`(speaks: HTTPClientSettings.ApplicationProtocol) {
        let world = world(ProxySettings(originRTT: .milliseconds(40)), speaks)
        world.send("POST", "/", body: 100)
        world.run(0.269)
        #expect(world.server.begun.isEmpty)
        world.run(5)
        #expect(world.milliseconds(world.events.finishedAt.first) == 340)
        #expect(world.server.bytesReceived == 100)
    }

    // 500 kB at 1 Mbps are 4 s and more. After 2.2 s about 240 kB have been acknowledged to the phone.
    // Without a proxy the origin has them, with it nothing: neither then, nor after the cut.
    @Test(arguments: [true, false])
    func `a cut upload leaves the origin nothing`(isProxied: Bool) {
        let world = world(isProxied ? ProxySettings() : nil, rate: .megabitsPerSecond(1))
        world.send("PATCH", "/files/1", body: 500_000)
        world.run(2.2)
        #expect(world.events.handedOver > 200_000)
        #expect(world.server.begun.count == (isProxied ? 0 : 1))
        #expect((world.server.bytesReceived > 200_000) != isProxied)
        world.network.dropConnections()
        world.run(60)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.server.begun.count == (isProxied ? 0 : 1))
        #expect(world.server.ended.isEmpty)
    }

    // The whole upload has been taken by the proxy when the phone goes: the origin gets it, and the phone
    // does not know. 20,000 bytes without a limit of rate: at the proxy by 350 ms, at the origin 500 later.
    @Test func `what the proxy has whole reaches the origin without the phone`() {
        let world = world(ProxySettings(originRTT: .seconds(1)))
        world.send("POST", "/", body: 20_000)
        world.run(0.45)
        #expect(world.events.handedOver == 20_000)
        #expect(world.server.bytesReceived == 0)
        world.network.dropConnections()
        world.run(5)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.server.ended == ["POST /"])
        #expect(world.server.bytesReceived == 20_000)
    }

    @Test func `a body that is too long for it never reaches the origin`() {
        let world = world(ProxySettings(largestBody: .kibibytes(64)))
        world.send("POST", "/", body: 65_537)
        world.run(5)
        #expect(world.events.statuses == [413])
        #expect(world.server.begun.isEmpty)
    }

    // The proxy has the request at 250 ms. One that refuses is known of a round trip of 40 ms later, at the
    // phone after 50 more; for one that is silent the proxy waits a minute.
    @Test(arguments: [
        (Internet.Availability.refusing, 502, 340.0), (.silent, 504, 60_300),
    ])
    func `an origin that is not there is told by the proxy`(
        availability: Internet.Availability,
        status: Int,
        due: Double
    ) {
        let world = world(ProxySettings(originRTT: .milliseconds(40)))
        world.internet.setAvailability(availability, of: "a.example")
        world.send("POST", "/", body: 100, idleTimeout: .seconds(300))
        world.run(100)
        #expect(world.events.statuses == [status])
        #expect(world.milliseconds(world.events.headAt.first) == due)
        #expect(world.server.begun.isEmpty)
    }

    // Silent for the first 2.2 s. The proxy has the request at 250 ms, and its SYNs of 1 and 3 s later find
    // nobody and somebody: 20 ms there, 20 back, the request 20, the answer 20, and 50 to the phone: 3,380.
    @Test func `an origin that comes back is asked by the next SYN`() {
        let world = world(ProxySettings(originRTT: .milliseconds(40)))
        world.internet.setAvailability(.silent, of: "a.example")
        world.send("POST", "/", body: 100, idleTimeout: .seconds(300))
        world.run(2.2)
        world.internet.setAvailability(.up, of: "a.example")
        world.run(100)
        #expect(world.events.statuses == [200])
        #expect(world.milliseconds(world.events.headAt.first) == 3_380)
        #expect(world.server.ended == ["POST /"])
        #expect(world.server.bytesReceived == 100)
    }

    // The SYN of 31 s later is answered at 31.29 s; the minute begins there, not with the request. An origin that
    // then works for 50 s has answered by 81.31 s, one that works for 70 s is given up at 91.29 s.
    @Test(arguments: [(50.0, 200, 81_380.0), (70, 504, 91_340)])
    func `the minute begins with what was heard last`(work: Double, status: Int, due: Double) {
        let world = world(ProxySettings(originRTT: .milliseconds(40)))
        world.internet.setAvailability(.silent, of: "a.example")
        world.server.thinks = .milliseconds(Int64(work * 1_000))
        world.send("POST", "/", body: 100, idleTimeout: .seconds(300))
        world.run(20)
        world.internet.setAvailability(.up, of: "a.example")
        world.run(200)
        #expect(world.events.statuses == [status])
        #expect(world.milliseconds(world.events.headAt.first) == due)
        // Who is given up learns of it.
        #expect(world.server.lostRequests == (status == 504 ? ["POST /"] : []))
    }

    // In the proxy's hands at 250 ms, given up a minute later, and 50 ms to the phone.
    @Test func `an origin that works without a word is given up after a minute`() {
        let world = world(ProxySettings(originRTT: .milliseconds(40)))
        world.server.isMute = true
        world.send("POST", "/", body: 100, idleTimeout: .seconds(300))
        world.run(100)
        #expect(world.events.statuses == [504])
        #expect(world.milliseconds(world.events.headAt.first) == 60_300)
        #expect(world.server.lostRequests == ["POST /"])
        world.server.kept.first?.respond(HTTPResponseMessage(status: 200))
        world.run(5)
        #expect(world.events.statuses == [504])
    }

    @Test func `an origin that breaks off is a bad gateway`() {
        let world = world(ProxySettings(originRTT: .milliseconds(40)))
        world.server.isMute = true
        world.send("POST", "/", body: 100)
        world.run(1)
        world.server.kept.first?.abort()
        world.run(1)
        #expect(world.events.statuses == [502])
    }

    @Test func `HTTP_3 falls back to TCP behind it`() {
        let world = world(ProxySettings(), .http3)
        world.send()
        world.run(5)
        #expect(world.log.openings.map(\.applicationProtocol) == ["h2"])
        #expect(world.events.statuses == [200])
    }
}
