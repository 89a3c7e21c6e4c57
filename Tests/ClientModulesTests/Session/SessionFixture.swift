import ClientModules
import Foundation
import Synchronization

/// A server with one session: tokens that work until it says otherwise, refresh tokens that work once.
final class FakeTokenServer: Sendable {
    private struct State {
        var generation = 1
        var isExpired = false
        var refreshes: [String] = []
        var answers: [Reply] = []
        var lifetime: Int?
    }

    private let state = Mutex(State())

    /// Refresh tokens in the order in which they came.
    var refreshes: [String] { state.withLock { $0.refreshes } }

    /// The access token is not good any more.
    func expire() {
        state.withLock { $0.isExpired = true }
    }

    /// What the next refreshes are answered, instead of tokens.
    func answerRefreshes(_ answers: Reply...) {
        state.withLock { $0.answers = answers }
    }

    /// What `expires_in` says.
    func setLifetime(_ seconds: Int) {
        state.withLock { $0.lifetime = seconds }
    }

    func serve(_ seen: SeenRequest, after span: Duration = .milliseconds(100)) -> Reply {
        state.withLock { state in
            guard seen.request.url.path == "/token" else {
                let isGood =
                    !state.isExpired && seen["Authorization"] == "Bearer a\(state.generation)"
                return .answer(isGood ? 200 : 401, after: span)
            }
            let form = String(decoding: seen.body, as: UTF8.self)
            state.refreshes.append(String(form.split(separator: "=").last ?? ""))
            guard state.answers.isEmpty else { return state.answers.removeFirst() }
            guard form == "grant_type=refresh_token&refresh_token=r\(state.generation)" else {
                return .answer(400, body: #"{"error":"invalid_grant"}"#)
            }
            state.generation += 1
            state.isExpired = false
            let life = state.lifetime.map { #","expires_in":\#($0)"# } ?? ""
            return .answer(
                200,
                body: #"{"access_token":"a\#(state.generation)","token_type":"Bearer","#
                    + #""refresh_token":"r\#(state.generation)"\#(life)}"#
            )
        }
    }
}

/// A phone whose app is signed in at that server.
struct SessionFixture {
    let phone: TestPhone
    let server = FakeTokenServer()
    let heard = Heard<SessionEvent>()

    init() throws {
        phone = try TestPhone()
        phone.transport.serve { [server] seen, _ in server.serve(seen) }
    }

    static let signIn = SessionSignIn(
        identifier: "1",
        tokens: SessionTokens(access: "a1", refresh: "r1")
    )

    /// A life of the app begins: its session runs.
    func launch(_ signIn: SessionSignIn = Self.signIn) throws -> Session {
        phone.launch()
        let session = try Session(
            environment: phone.environment,
            configuration: SessionConfiguration(tokenEndpoint: Self.url("/token")),
            signIn: signIn,
            observer: heard.hear
        )
        phone.start { await session.run() }
        return session
    }

    /// Asks for something in a task of its own; what came of it is kept.
    @discardableResult
    func ask(
        _ session: Session,
        _ path: String = "/feed",
        headers: [HTTPHeader] = []
    ) -> (outcome: Asked, task: Task<Void, Never>) {
        let asked = Asked()
        let request = HTTPRequest(method: "GET", url: Self.url(path), headers: headers)
        let task = phone.start {
            do {
                let answer = try await session.transport.send(request, body: .none, progress: nil)
                asked.set("\(answer.status)")
            } catch {
                asked.set("\((error as? URLError)?.code.rawValue ?? 0)")
            }
        }
        return (asked, task)
    }

    static func url(_ path: String) -> URL {
        guard let url = URL(string: path.hasPrefix("https:") ? path : "https://api.test\(path)")
        else { preconditionFailure("'\(path)' is no path") }
        return url
    }
}

/// What came of a request: a status, or the code of an error; nil while it goes on.
final class Asked: Sendable {
    private let state = Mutex<String?>(nil)

    var text: String? { state.withLock { $0 } }

    func set(_ text: String) {
        state.withLock { $0 = text }
    }

    static func error(_ code: URLError.Code) -> String { "\(code.rawValue)" }
}
