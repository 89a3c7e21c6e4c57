import ClientModules
import Foundation
import Testing

/// An outbox of Anna's on a phone that Bert uses too.
///
/// Waits of 1, 2, 4 s and so on without jitter; what nobody may send fails at once.
@Suite struct AccountOutboxTests {
    let phone: TestPhone

    init() throws {
        phone = try TestPhone()
        phone.transport.serve { _, _ in .answer(201, after: .milliseconds(100)) }
    }

    func signIn(_ identifier: String, _ account: String) -> SessionSignIn {
        SessionSignIn(
            identifier: identifier,
            tokens: SessionTokens(access: "\(account)-\(identifier)", refresh: "r\(identifier)"),
            account: account
        )
    }

    /// A life of the app begins: session and outbox run.
    func launch(_ signIn: SessionSignIn) throws -> (session: Session, outbox: Outbox) {
        phone.launch()
        let token = try #require(URL(string: "https://api.example/token"))
        let session = try Session(
            environment: phone.environment,
            configuration: SessionConfiguration(tokenEndpoint: token),
            signIn: signIn
        )
        var environment = phone.environment
        environment.transport = session.transport(for: "anna")
        let outbox = try Outbox(
            environment: environment,
            configuration: OutboxConfiguration(
                server: try #require(URL(string: "https://api.example")),
                database: "outbox-anna.sqlite",
                retry: RetryPolicy(
                    base: .seconds(1),
                    ceiling: .seconds(300),
                    jitter: .none,
                    deadline: nil
                ),
                budget: nil
            )
        )
        phone.start { await session.run() }
        phone.start { await outbox.run() }
        return (session, outbox)
    }

    func enqueue(_ identity: String, _ outbox: Outbox) throws {
        let intent = OutboxIntent(identity: identity, path: "/messages", body: Data(identity.utf8))
        try phone.perform { try await outbox.enqueue(intent) }
    }

    /// "m1 as anna-1 at 0", for each request.
    var sent: [String] {
        phone.transport.seen.map { seen in
            let body = String(decoding: seen.body, as: UTF8.self)
            let token = seen["Authorization"]?.dropFirst("Bearer ".count) ?? "nobody"
            return "\(body) as \(token) at \((seen.at - .seconds(1_000)).components.seconds)"
        }
    }

    // Anna leaves at 10 s and says m2, which is tried at 10, 11, 13, 17, 25, 41 and 73 s, and would be at 137 s.
    // Bert is there from 100 s: tried then, if the outbox is told, and next at 228 s. Anna is back at 150 s.
    @Test(arguments: [true, false])
    func `what somebody left behind is sent as them alone, and at once when they are back`(
        isTold: Bool
    ) throws {
        let (session, outbox) = try launch(signIn("1", "anna"))
        try enqueue("m1", outbox)
        phone.pass(.seconds(10))
        try phone.perform { await session.signOut() }
        try enqueue("m2", outbox)
        phone.pass(.seconds(90))
        let (bert, anna) = (signIn("2", "bert"), signIn("3", "anna"))
        try phone.perform {
            await session.signIn(bert)
            if isTold { await outbox.signedIn() }
        }
        phone.pass(.seconds(50))
        #expect(sent == ["m1 as anna-1 at 0"])
        try phone.perform {
            await session.signOut()
            await session.signIn(anna)
            if isTold { await outbox.signedIn() }
        }
        phone.pass(.seconds(300))
        // Not told, it was tried at 137 s last, and comes 128 s later.
        #expect(sent == ["m1 as anna-1 at 0", "m2 as anna-3 at \(isTold ? 150 : 265)"])
    }

    // The wait that began at 41 s ends at 73 s; the next launch, at 50 s, finds it in the database.
    @Test func `what an earlier launch left waiting is sent at the sign-in too`() throws {
        let (session, outbox) = try launch(signIn("1", "anna"))
        phone.pass(.seconds(10))
        try phone.perform { await session.signOut() }
        try enqueue("m2", outbox)
        phone.pass(.seconds(40))
        let (later, again) = try launch(signIn("1", "anna"))
        phone.pass(.seconds(1))
        let anna = signIn("2", "anna")
        try phone.perform {
            await later.signIn(anna)
            await again.signedIn()
        }
        phone.pass(.seconds(60))
        #expect(sent == ["m2 as anna-2 at 51"])
    }

    // Asked at 0.1 s to come again 60 s later.
    @Test func `a sign-in is no reason to come before the server wants it`() throws {
        phone.transport.serve { _, count in
            count == 1
                ? .answer(503, [HTTPHeader("Retry-After", "60")], after: .milliseconds(100))
                : .answer(201, after: .milliseconds(100))
        }
        let (_, outbox) = try launch(signIn("1", "anna"))
        try enqueue("m1", outbox)
        phone.pass(.seconds(10))
        try phone.perform { await outbox.signedIn() }
        phone.pass(.seconds(90))
        #expect(sent == ["m1 as anna-1 at 0", "m1 as anna-1 at 60"])
    }
}
