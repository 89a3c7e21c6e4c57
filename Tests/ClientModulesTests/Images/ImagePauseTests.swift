import ClientModules
import Foundation
import Quantities
import SQLiteStore
import Testing

/// What the cache does when the server asks to be left alone (RFC 9110, 10.2.3).
@Suite struct ImagePauseTests {
    let key: ImageKey

    init() throws {
        key = try ImageFixture.key("a")
    }

    private func refuse(_ fixture: ImageFixture, _ status: Int, for seconds: Int) {
        fixture.phone.transport.serve { _, _ in
            .answer(status, [HTTPHeader("Retry-After", "\(seconds)")])
        }
    }

    // No chance is added, so the second request is due at 10 s and the answer takes 0.1 s more.
    @Test(arguments: [429, 503])
    func `what is looked at waits, and is asked for when the time is over`(status: Int) throws {
        let fixture = try ImageFixture(.init(spread: .zero))
        refuse(fixture, status, for: 10)
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        fixture.serve()
        // Another place, and another picture: neither asks earlier.
        fixture.ask(try ImageFixture.key("a", 270, 270))
        fixture.ask(try ImageFixture.key("b"))
        fixture.phone.pass(.milliseconds(8_990))
        #expect(fixture.phone.transport.seen.count == 1)
        #expect(fixture.outcome.all == [])
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all.count == 3)
        #expect(fixture.outcome.all.allSatisfy { $0.hasPrefix("network") })
        // "a" once more, for both places, and "b".
        #expect(fixture.phone.transport.seen.count == 3)
    }

    @Test func `chance is added to the wait, and never taken from it`() throws {
        var instants: [Int] = []
        let fixture = try ImageFixture(.init(spread: .seconds(10)))
        refuse(fixture, 503, for: 10)
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        fixture.serve()
        for name in ["b", "c", "d", "e"] { fixture.ask(try ImageFixture.key(name)) }
        for second in 2...22 {
            fixture.phone.pass(.seconds(1))
            let sent = fixture.phone.transport.seen.count - 1
            instants += Array(repeating: second, count: sent - instants.count)
        }
        #expect(instants.count == 5)
        #expect((instants.min() ?? 0) >= 10)
        #expect(Set(instants).count > 1)
    }

    @Test func `a wait that goes beyond patience fails at once, and still nothing is asked`() throws
    {
        let fixture = try ImageFixture(.init(patience: .seconds(30)))
        refuse(fixture, 503, for: 31)
        for _ in 1...3 {
            fixture.ask(key)
            fixture.phone.pass(.milliseconds(200))
        }
        let refusal = "refused(status: 503)"
        #expect(fixture.outcome.all == [refusal, refusal, refusal])
        #expect(fixture.phone.transport.seen.count == 1)
    }

    // Four waits of 10 s would be 40 s; the fourth is not begun.
    @Test func `a server that asks again and again is not waited for longer than patience`() throws
    {
        let fixture = try ImageFixture(.init(patience: .seconds(30), spread: .zero))
        refuse(fixture, 503, for: 9)
        fixture.ask(key)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.outcome.all == ["refused(status: 503)"])
        #expect(fixture.phone.transport.seen.count == 4)
    }

    @Test(arguments: [429, 503])
    func `what has a stale file shows it and does not wait`(status: Int) throws {
        let fixture = try ImageFixture(.init(freshFor: .seconds(60)))
        fixture.serve()
        fixture.ask(key)
        fixture.phone.pass(.seconds(61))
        fixture.cache.removeBitmaps()
        refuse(fixture, status, for: 10)
        for _ in 1...2 {
            fixture.ask(key)
            fixture.phone.pass(.seconds(1))
            fixture.cache.removeBitmaps()
        }
        #expect(fixture.outcome.all == ["network", "disk", "disk"])
        #expect(fixture.phone.transport.seen.count == 2)
    }

    @Test func `who leaves while it waits is not asked for`() throws {
        let fixture = try ImageFixture()
        refuse(fixture, 503, for: 10)
        let asking = fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        asking.cancel()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.outcome.all == ["cancelled"])
        #expect(fixture.phone.transport.seen.count == 1)
    }

    @Test func `an error that asks for no wait fails the picture, and the next is asked for`()
        throws
    {
        let fixture = try ImageFixture()
        fixture.phone.transport.serve { _, _ in .answer(503) }
        for _ in 1...2 {
            fixture.ask(key)
            fixture.phone.pass(.seconds(1))
        }
        #expect(fixture.phone.transport.seen.count == 2)
    }
}
