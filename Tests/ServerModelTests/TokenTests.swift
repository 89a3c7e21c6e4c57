import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

/// RFC 6749 (6, 5.2), RFC 6750 (3) and RFC 9700 (4.14.2).
@Suite struct TokenTests {
    private func bench(
        worksOnce: Bool = true,
        used: UsedRefreshToken = .isRefused
    ) -> ServerBench {
        var configuration = ServerConfiguration.immediate
        configuration.tokens = TokenPolicy(
            accessTokensLive: .seconds(3_600),
            refreshTokensWorkOnce: worksOnce,
            usedRefreshToken: used
        )
        let bench = ServerBench(configuration)
        bench.server.serve("GET /feed", with: HTTPResponseMessage(status: 200))
        return bench
    }

    private func get(_ bench: ServerBench, _ token: String?) -> BenchExchange {
        bench.send("GET", "/feed", token.map { [("Authorization", "Bearer \($0)")] } ?? [])
    }

    private func refresh(_ bench: ServerBench, _ form: String) -> BenchExchange {
        bench.send(
            "POST",
            "/token",
            [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(form.utf8)
        )
    }

    @Test func `a request without a token, or with a strange one, is 401`() {
        let bench = bench()
        let none = get(bench, nil)
        #expect(none.status == 401)
        #expect(none.field("WWW-Authenticate") == "Bearer")
        let strange = get(bench, "a99")
        #expect(strange.status == 401)
        #expect(strange.field("WWW-Authenticate") == "Bearer error=\"invalid_token\"")
    }

    @Test func `a token is good until it expires`() {
        let bench = bench()
        let (access, _) = bench.server.beginSession()
        #expect(get(bench, access).status == 200)
        bench.run(until: .seconds(3_600) - .nanoseconds(1))
        #expect(get(bench, access).status == 200)
        bench.run(until: .seconds(3_600))
        #expect(get(bench, access).status == 401)
    }

    @Test func `a refresh gives new tokens and ends the old ones`() {
        let bench = bench()
        let (access, token) = bench.server.beginSession()
        let answer = refresh(bench, "grant_type=refresh_token&refresh_token=\(token)")
        #expect(answer.status == 200)
        #expect(answer.field("Cache-Control") == "no-store")
        let expected =
            #"{"access_token":"a2","token_type":"Bearer","expires_in":3600,"refresh_token":"r2"}"#
        #expect(answer.text == expected)
        #expect(get(bench, access).status == 401)
        #expect(get(bench, "a2").status == 200)
    }

    @Test func `a refresh token that is used twice ends the session`() {
        let bench = bench()
        let (_, token) = bench.server.beginSession()
        _ = refresh(bench, "grant_type=refresh_token&refresh_token=\(token)")
        let again = refresh(bench, "grant_type=refresh_token&refresh_token=\(token)")
        #expect(again.status == 400)
        #expect(again.text == #"{"error":"invalid_grant"}"#)
        #expect(get(bench, "a2").status == 401)
        #expect(refresh(bench, "grant_type=refresh_token&refresh_token=r2").status == 400)
    }

    private func use(_ bench: ServerBench, _ token: String) -> BenchExchange {
        refresh(bench, "grant_type=refresh_token&refresh_token=\(token)")
    }

    @Test func `a used refresh token may be forgiven until its successor is used`() {
        let bench = bench(used: .isForgivenUntilItsSuccessorIsUsed)
        let (access, token) = bench.server.beginSession()
        #expect(use(bench, token).text.contains(#""access_token":"a2""#))
        // Its answer was lost: the same successor, another access token; the lost one is worth nothing.
        bench.run(until: .seconds(86_400))
        let again = use(bench, token)
        #expect(again.text.contains(#""access_token":"a3""#))
        #expect(again.text.contains(#""refresh_token":"r2""#))
        #expect(get(bench, access).status == 401)
        #expect(get(bench, "a2").status == 401)
        #expect(get(bench, "a3").status == 200)
        #expect(use(bench, token).status == 400)
        #expect(bench.server.standing(ofSession: token) == .reused)
        #expect(get(bench, "a3").status == 401)
    }

    @Test func `a refresh token of two refreshes ago is never forgiven`() {
        let bench = bench(used: .isForgivenUntilItsSuccessorIsUsed)
        let (_, token) = bench.server.beginSession()
        #expect(use(bench, token).status == 200)
        #expect(use(bench, "r2").status == 200)
        #expect(use(bench, token).status == 400)
        #expect(bench.server.standing(ofSession: "r2") == .reused)
    }

    // Forgiven for 60 s after the first use at 0 s: at 59.999999999 s yes, at 60 s no more.
    @Test func `a used refresh token may be forgiven for a time`() {
        let bench = bench(used: .isForgiven(for: .seconds(60)))
        let (_, token) = bench.server.beginSession()
        #expect(use(bench, token).status == 200)
        #expect(get(bench, "a2").status == 200)
        bench.run(until: .seconds(60) - .nanoseconds(1))
        #expect(use(bench, token).text.contains(#""refresh_token":"r2""#))
        bench.run(until: .seconds(60))
        #expect(use(bench, token).status == 400)
    }

    @Test func `the lab can end an access token, and a session, once`() {
        let bench = bench()
        let (access, token) = bench.server.beginSession()
        #expect(bench.server.expireAccess(ofSession: token))
        #expect(!bench.server.expireAccess(ofSession: token))
        #expect(get(bench, access).status == 401)
        #expect(use(bench, token).status == 200)
        // Known by any token that it was given.
        #expect(bench.server.revoke(session: token))
        #expect(!bench.server.revoke(session: token))
        #expect(bench.server.standing(ofSession: "r2") == .revoked)
        #expect(get(bench, "a2").status == 401)
        #expect(use(bench, "r2").text == #"{"error":"invalid_grant"}"#)
        #expect(!bench.server.expireAccess(ofSession: token))
        #expect(bench.server.standing(ofSession: "r9") == nil)
    }

    @Test func `refresh tokens may be made to last`() {
        let bench = bench(worksOnce: false)
        let (_, token) = bench.server.beginSession()
        for _ in 0..<2 {
            #expect(refresh(bench, "grant_type=refresh_token&refresh_token=\(token)").status == 200)
        }
        #expect(get(bench, "a3").status == 200)
    }

    @Test(arguments: [
        ("", "invalid_request"), ("grant_type=password", "unsupported_grant_type"),
        ("grant_type=refresh_token", "invalid_request"),
        ("grant_type=refresh_token&refresh_token=r9", "invalid_grant"),
    ])
    func `what a refresh lacks is named`(form: String, error: String) {
        let bench = bench()
        let answer = refresh(bench, form)
        #expect(answer.status == 400)
        #expect(answer.text == #"{"error":"\#(error)"}"#)
    }

    @Test func `a token request that is no form is 415 and a violation`() {
        let bench = bench()
        let answer = bench.send("POST", "/token", body: Array("{}".utf8))
        #expect(answer.status == 415)
        #expect(bench.violations.count == 1)
        #expect(bench.send("GET", "/token").status == 405)
    }
}
