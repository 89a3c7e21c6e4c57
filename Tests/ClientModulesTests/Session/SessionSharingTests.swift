import ClientModules
import Foundation
import SQLiteStore
import Testing

/// An app and its extension with a session each on one database, in real files; refresh tokens work once.
@Suite struct SessionSharingTests {
    /// A session of another process on the same files.
    private static func other(
        _ fixture: SessionFixture,
        _ heard: Heard<SessionEvent> = Heard()
    ) throws -> Session {
        var environment = fixture.phone.environment
        environment.process = "share"
        let session = try Session(
            environment: environment,
            configuration: SessionConfiguration(tokenEndpoint: SessionFixture.url("/token")),
            observer: heard.hear
        )
        fixture.phone.start { await session.run() }
        return session
    }

    // The extension waits for the app's refresh, or finds it done; each request is refused once at most.
    @Test(arguments: [0, 50, 150, 250, 600])
    func `an app and its extension share one refresh`(later: Int) throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        let other = try Self.other(fixture)
        fixture.server.expire()
        let first = fixture.ask(session).outcome
        fixture.phone.pass(.milliseconds(later))
        let second = fixture.ask(other).outcome
        fixture.phone.pass(.seconds(2))
        #expect([first.text, second.text] == ["200", "200"])
        #expect(fixture.server.refreshes == ["r1"])
    }

    // Twice in turn: each goes on with what the other one got.
    @Test func `each process refreshes with the token that the other one got`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        let other = try Self.other(fixture)
        for (asker, refreshes) in [
            (session, ["r1"]), (other, ["r1", "r2"]), (session, ["r1", "r2", "r3"]),
        ] {
            fixture.server.expire()
            let asked = fixture.ask(asker).outcome
            fixture.phone.pass(.seconds(1))
            #expect(asked.text == "200")
            #expect(fixture.server.refreshes == refreshes)
        }
    }

    // Claimed at 0.1 s for the attempt's 15 s and 10 s more; the app is gone.
    @Test func `what a process that died was refreshing another does when its claim is over`()
        throws
    {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        _ = try Self.other(fixture)
        fixture.server.expire()
        fixture.server.answerRefreshes(.never)
        fixture.ask(session)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.server.refreshes == ["r1"])
        fixture.phone.launch()
        let survivor = try Self.other(fixture)
        let asked = fixture.ask(survivor).outcome
        fixture.phone.pass(.seconds(23))
        #expect(asked.text == nil)
        #expect(fixture.server.refreshes == ["r1"])
        fixture.phone.pass(.seconds(3))
        #expect(asked.text == "200")
        #expect(fixture.server.refreshes == ["r1", "r1"])
    }

    // A refresh that failed gives the turn back: the other one waits for no claim.
    @Test func `a refresh that failed is no claim`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        let other = try Self.other(fixture)
        fixture.server.expire()
        fixture.server.answerRefreshes(.answer(503))
        let first = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(first.text == Asked.error(.cannotConnectToHost))
        let second = fixture.ask(other).outcome
        fixture.phone.pass(.seconds(1))
        #expect(second.text == "200")
        #expect(fixture.server.refreshes == ["r1", "r1"])
    }

    @Test func `a pause that the server asked one process for holds for all`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        let other = try Self.other(fixture)
        fixture.server.expire()
        fixture.server.answerRefreshes(.answer(429, [HTTPHeader("Retry-After", "60")]))
        fixture.ask(session)
        fixture.phone.pass(.seconds(1))
        let early = fixture.ask(other).outcome
        fixture.phone.pass(.seconds(1))
        #expect(early.text == Asked.error(.cannotConnectToHost))
        #expect(fixture.server.refreshes == ["r1"])
        fixture.phone.pass(.seconds(60))
        let late = fixture.ask(other).outcome
        fixture.phone.pass(.seconds(1))
        #expect(late.text == "200")
    }

    @Test func `who signs out in the app is signed out in its extension`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        let heard = Heard<SessionEvent>()
        let other = try Self.other(fixture, heard)
        try fixture.phone.perform { await session.signOut() }
        let sent = fixture.phone.transport.seen.count
        let asked = fixture.ask(other).outcome
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == Asked.error(.userAuthenticationRequired))
        #expect(fixture.phone.transport.seen.count == sent)
        #expect(heard.all == [.signedOut(signIn: "1")])
    }

    // Signed out while the extension's refresh is on its way: what it brings is not stored.
    @Test func `a sign-out is not undone by another process's refresh`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        let other = try Self.other(fixture)
        fixture.phone.pass(.seconds(60))
        fixture.server.expire()
        let asked = fixture.ask(other).outcome
        fixture.phone.pass(.milliseconds(150))
        #expect(fixture.server.refreshes == ["r1"])
        try fixture.phone.perform { await session.signOut() }
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == Asked.error(.userAuthenticationRequired))
        let again = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(again.text == Asked.error(.userAuthenticationRequired))
    }

    // The extension has refreshed since the person signed in: the app's own call brings the first pair, used by now.
    @Test func `a sign-in that another process has stored is not stored again`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch(
            SessionSignIn(
                identifier: "0",
                tokens: SessionTokens(access: "old", refresh: "old")
            )
        )
        let other = try Self.other(fixture)
        try fixture.phone.perform { await other.signIn(SessionFixture.signIn) }
        fixture.phone.pass(.seconds(60))
        fixture.server.expire()
        fixture.ask(other)
        fixture.phone.pass(.seconds(1))
        try fixture.phone.perform { await session.signIn(SessionFixture.signIn) }
        let asked = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == "200")
        #expect(fixture.server.refreshes == ["r1"])
    }

    @Test func `an app without extensions writes nothing to claim a refresh`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        fixture.ask(session)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.server.refreshes == ["r1"])
        let connection = try SQLiteConnection(path: fixture.phone.folder + "/session.sqlite")
        #expect(try !connection.knows("SELECT owner FROM session_claim"))
        _ = try Self.other(fixture)
        #expect(try connection.knows("SELECT owner FROM session_claim"))
    }
}
