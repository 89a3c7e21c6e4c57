import HTTPVocabulary
import Quantities
import Testing

@testable import NetworkModel

/// What a server's exchange may know of its client, for judging alone.
@Suite struct ClientStateTests {
    @Test func `a client that waits, waits`() {
        let world = TestWorld()
        world.server.isMute = true
        world.send("POST", "/orders", body: 200)
        world.run(2)
        #expect(world.server.kept.map(\.clientState) == [.waiting])
    }

    @Test func `a client that has its answer has it for ever`() {
        let world = TestWorld()
        world.send("POST", "/bytes/50000", body: 200)
        world.run(200)
        #expect(world.events.finishedAt.count == 1)
        #expect(world.server.kept.map(\.clientState) == [.answered])
    }

    @Test func `a client whose answer was lost is gone`() {
        let world = TestWorld()
        world.network.intercept(
            ExchangeInterception(
                nth: 1,
                loss: .response(afterBytes: 0),
                aftermath: .reset,
                matches: { _ in true },
                fired: { _ in }
            )
        )
        world.send("POST", "/orders", body: 200)
        world.run(2)
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.server.kept.map(\.clientState) == [.gone])
    }

    @Test func `a client that timed out is gone, although the server does not know`() {
        let world = TestWorld()
        world.server.isMute = true
        world.send("POST", "/orders", body: 200, idleTimeout: .seconds(5))
        world.run(20)
        #expect(world.events.failures == [.timedOut])
        #expect(world.server.kept.map(\.clientState) == [.gone])
    }
}
