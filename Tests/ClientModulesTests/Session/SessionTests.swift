import ClientModules
import Foundation
import Testing

/// One refresh at a time, stored before it is used; who is signed out, and who is not.
@Suite struct SessionTests {
    // 5 requests, 1 refresh, the 5 once more.
    @Test func `requests that are refused at once share one refresh, and are repeated once`() throws
    {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        let asked = (0..<5).map { fixture.ask(session, "/feed\($0)").outcome }
        fixture.phone.pass(.seconds(1))
        #expect(asked.map(\.text) == ["200", "200", "200", "200", "200"])
        #expect(fixture.server.refreshes == ["r1"])
        #expect(fixture.phone.transport.seen.count == 11)
        #expect(fixture.heard.all == [.refreshed])
    }

    // The slow request is refused at 1 s; the fast one had its refresh from 0.1 s to 0.2 s.
    @Test func `a 401 to a token that was replaced meanwhile asks for no refresh`() throws {
        let fixture = try SessionFixture()
        fixture.phone.transport.serve { [server = fixture.server] seen, _ in
            server.serve(
                seen,
                after: seen.request.url.path == "/slow" ? .seconds(1) : .milliseconds(100)
            )
        }
        let session = try fixture.launch()
        fixture.server.expire()
        let slow = fixture.ask(session, "/slow").outcome
        let fast = fixture.ask(session, "/fast").outcome
        fixture.phone.pass(.seconds(3))
        #expect([slow.text, fast.text] == ["200", "200"])
        #expect(fixture.server.refreshes == ["r1"])
    }

    // Refused at 0.1 s, refreshed at 0.2 s; at 0.15 s another file stands in the place of the first.
    @Test(arguments: [false, true])
    func `a file that was replaced while there was no token is not sent`(isReplaced: Bool) throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        let file = try fixture.phone.makeFile(count: 100)
        let request = HTTPRequest(method: "POST", url: SessionFixture.url("/files"))
        let asked = Asked()
        fixture.phone.start {
            do {
                let body = HTTPRequestBody.file(path: file, range: 0..<100)
                let answer = try await session.transport.send(request, body: body, progress: nil)
                asked.set("\(answer.status)")
            } catch {
                asked.set("\((error as? URLError)?.code.rawValue ?? 0)")
            }
        }
        fixture.phone.pass(.milliseconds(150))
        if isReplaced {
            try Data(repeating: 7, count: 100).write(
                to: URL(fileURLWithPath: file),
                options: .atomic
            )
        }
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == (isReplaced ? Asked.error(.requestBodyStreamExhausted) : "200"))
        let sent = fixture.phone.transport.seen.filter { $0.request.url.path == "/files" }
        #expect(sent.count == (isReplaced ? 1 : 2))
        #expect(fixture.server.refreshes == ["r1"])
    }

    @Test func `a request that is given up does not cut its refresh off`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        let (asked, task) = fixture.ask(session)
        fixture.phone.pass(.milliseconds(150))
        #expect(fixture.server.refreshes == ["r1"])
        task.cancel()
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == Asked.error(.cancelled))
        #expect(fixture.heard.all == [.refreshed])
        let next = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(next.text == "200")
        #expect(fixture.server.refreshes == ["r1"])
    }

    // Refused at 0.1 s, refreshed at 0.2 s: the first request with a2 is on its way, and the process dies.
    @Test func `new tokens are stored before a request carries them`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        fixture.ask(session)
        fixture.phone.pass(.milliseconds(200))
        #expect(fixture.phone.transport.seen.last?["Authorization"] == "Bearer a2")
        let next = fixture.ask(try fixture.launch()).outcome
        fixture.phone.pass(.seconds(1))
        #expect(next.text == "200")
        #expect(fixture.server.refreshes == ["r1"])
    }

    @Test func `a process that dies before the answer comes again with the same refresh token`()
        throws
    {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        fixture.server.answerRefreshes(.never)
        fixture.ask(session)
        fixture.phone.pass(.seconds(1))
        let next = fixture.ask(try fixture.launch()).outcome
        fixture.phone.pass(.seconds(1))
        #expect(next.text == "200")
        #expect(fixture.server.refreshes == ["r1", "r1"])
    }

    @Test(arguments: [
        Reply.answer(500), .answer(403, body: "<html>"), .answer(200, body: "<html>Sign in</html>"),
        .answer(400, body: #"{"error":"invalid_request"}"#), .fails(.networkConnectionLost), .never,
    ])
    func `no error but one signs anybody out`(answer: Reply) throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        fixture.server.answerRefreshes(answer)
        let asked = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(20))
        #expect(asked.text == Asked.error(.cannotConnectToHost))
        let next = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(next.text == "200")
        #expect(fixture.server.refreshes == ["r1", "r1"])
    }

    @Test func `a refresh token that is refused signs the person out, until they sign in again`()
        throws
    {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        fixture.server.answerRefreshes(.answer(400, body: #"{"error":"invalid_grant"}"#))
        let asked = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == Asked.error(.userAuthenticationRequired))
        #expect(fixture.heard.all == [.signedOut(signIn: "1")])
        // Nothing leaves any more, and the next launch says it again.
        let sent = fixture.phone.transport.seen.count
        let later = try fixture.launch()
        #expect(fixture.heard.all == [.signedOut(signIn: "1"), .signedOut(signIn: "1")])
        let refused = fixture.ask(later).outcome
        #expect(refused.text == Asked.error(.userAuthenticationRequired))
        #expect(fixture.phone.transport.seen.count == sent)
        let again = SessionSignIn(
            identifier: "2",
            tokens: SessionTokens(access: "a1", refresh: "r1")
        )
        try fixture.phone.perform { await later.signIn(again) }
        let renewed = fixture.ask(later).outcome
        fixture.phone.pass(.seconds(1))
        #expect(renewed.text == "200")
    }

    @Test func `an outbox keeps its messages while nobody is signed in`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        var environment = fixture.phone.environment
        environment.transport = session.transport
        let outbox = try Outbox(
            environment: environment,
            configuration: OutboxConfiguration(server: SessionFixture.url("/"))
        )
        fixture.phone.start { await outbox.run() }
        fixture.server.expire()
        fixture.server.answerRefreshes(.answer(400, body: #"{"error":"invalid_grant"}"#))
        try fixture.phone.perform {
            try await outbox.enqueue(
                OutboxIntent(
                    identity: "m1",
                    method: "POST",
                    path: "/messages",
                    contentType: "application/json",
                    body: Data("{}".utf8)
                )
            )
        }
        fixture.phone.pass(.seconds(600))
        #expect(try fixture.phone.perform { try await outbox.givenUp() }.isEmpty)
        #expect(try fixture.phone.perform { await outbox.needsTime() })
        let again = SessionSignIn(
            identifier: "2",
            tokens: SessionTokens(access: "a1", refresh: "r1")
        )
        try fixture.phone.perform { await session.signIn(again) }
        fixture.phone.pass(.seconds(600))
        #expect(try fixture.phone.perform { await !outbox.needsTime() })
        #expect(try fixture.phone.perform { try await outbox.givenUp() }.isEmpty)
    }

    // Asked at 0.1 s to wait 60 s, and killed: at 30 s nothing is sent, at 61 s it is.
    @Test func `what the server asked to wait is waited for, in the next launch too`() throws {
        let fixture = try SessionFixture()
        fixture.server.expire()
        fixture.server.answerRefreshes(.answer(503, [HTTPHeader("Retry-After", "60")]))
        fixture.ask(try fixture.launch())
        fixture.phone.pass(.seconds(30))
        let session = try fixture.launch()
        let early = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(early.text == Asked.error(.cannotConnectToHost))
        #expect(fixture.server.refreshes == ["r1"])
        fixture.phone.pass(.seconds(30))
        let late = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(late.text == "200")
        #expect(fixture.server.refreshes == ["r1", "r1"])
    }

    // Of the 60 s 30 have passed when the phone boots, as far as anybody knows: all 60 begin anew, and a launch
    // 40 s later is left with 20 of them.
    @Test func `after a boot the wait that the server asked for begins anew`() throws {
        let fixture = try SessionFixture()
        fixture.server.expire()
        fixture.server.answerRefreshes(.answer(503, [HTTPHeader("Retry-After", "60")]))
        fixture.ask(try fixture.launch())
        fixture.phone.pass(.seconds(30))
        fixture.phone.clock.reboot(after: .seconds(10))
        _ = try fixture.launch()
        fixture.phone.pass(.seconds(40))
        let session = try fixture.launch()
        fixture.phone.pass(.seconds(19))
        let early = fixture.ask(session).outcome
        fixture.phone.pass(.milliseconds(500))
        #expect(early.text == Asked.error(.cannotConnectToHost))
        fixture.phone.pass(.seconds(1))
        let late = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(late.text == "200")
    }

    // 100 s of life, less a tenth: good at 89 s, refreshed unasked at 90 s.
    @Test func `a token whose life is about over is refreshed before it is sent`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.server.expire()
        fixture.server.setLifetime(100)
        fixture.ask(session)
        fixture.phone.pass(.seconds(89))
        fixture.ask(session)
        fixture.phone.pass(.milliseconds(500))
        #expect(fixture.server.refreshes == ["r1"])
        fixture.phone.pass(.seconds(1))
        let sent = fixture.phone.transport.seen.count
        let asked = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == "200")
        #expect(fixture.server.refreshes == ["r1", "r2"])
        #expect(fixture.phone.transport.seen.count == sent + 2)
    }

    @Test func `a token goes to its own server alone`() throws {
        let fixture = try SessionFixture()
        let session = try fixture.launch()
        fixture.ask(session, "https://other.test/feed")
        fixture.ask(session, headers: [HTTPHeader("Authorization", "Basic eA==")])
        fixture.phone.pass(.seconds(1))
        let sent = fixture.phone.transport.seen.map { $0["Authorization"] }
        #expect(sent == [nil, "Basic eA=="])
        #expect(fixture.server.refreshes.isEmpty)
    }

    @Test func `a request that two tokens in a row do not open is to be tried later`() throws {
        let fixture = try SessionFixture()
        fixture.phone.transport.serve { [server = fixture.server] seen, _ in
            seen.request.url.path == "/token" ? server.serve(seen) : .answer(401)
        }
        let session = try fixture.launch()
        let asked = fixture.ask(session).outcome
        fixture.phone.pass(.seconds(1))
        #expect(asked.text == Asked.error(.userAuthenticationRequired))
        #expect(fixture.phone.transport.seen.count == 3)
        #expect(fixture.heard.all == [.refreshed])
    }
}
