import ClientModules
import Foundation
import Testing

/// People who leave and come back, and whose requests are sent as whom.
@Suite struct SignOutTests {
    @Test func `after a sign-out nothing leaves, in the next launch neither`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        try fixture.phone.perform { await session.signOut() }
        let asked = fixture.ask(session).outcome
        // The app hands over the sign-in that it knows of: that one is over.
        let later = fixture.ask(try fixture.launch()).outcome
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == Asked.error(.userAuthenticationRequired))
        #expect(later.text == Asked.error(.userAuthenticationRequired))
        #expect(fixture.phone.transport.seen.isEmpty)
        #expect(fixture.heard.all == [.signedOut(signIn: "1")])
    }

    // The refresh is asked for at 0 s and answered at 0.1 s; the person leaves at 0.05 s.
    @Test func `tokens that come after the sign-out are not kept`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        let asked = fixture.ask(session).outcome
        fixture.phone.pass(.milliseconds(150))
        #expect(fixture.server.refreshes == ["r1"])
        try fixture.phone.perform { await session.signOut() }
        fixture.phone.pass(.seconds(5))
        #expect(asked.text == Asked.error(.userAuthenticationRequired))
        let later = fixture.ask(try fixture.launch()).outcome
        fixture.phone.pass(.seconds(1))
        #expect(later.text == Asked.error(.userAuthenticationRequired))
        #expect(!fixture.heard.all.contains(.refreshed))
    }

    @Test func `whoever signs in next is signed in`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        try fixture.phone.perform {
            await session.signOut()
            await session.signIn(
                SessionSignIn(
                    identifier: "2",
                    tokens: SessionTokens(access: "a1", refresh: "r1"),
                    account: "bert"
                )
            )
        }
        #expect(try fixture.phone.perform { await session.account } == "bert")
        let asked = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == "200")
    }
}
