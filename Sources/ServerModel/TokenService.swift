import HTTPVocabulary
import Quantities

/// Access tokens that expire and refresh tokens that work once (RFC 6749, 6; RFC 9700, 4.14.2).
struct TokenService {
    private struct Session {
        var access: String
        var accessExpiry: SimulationInstant
        var refresh: String
        var isRevoked = false
    }

    private let policy: TokenPolicy
    private var sessions: [Session] = []
    private var sessionOfRefresh: [String: Int] = [:]
    private var sessionOfAccess: [String: Int] = [:]
    private var issued = 0

    init(policy: TokenPolicy) {
        self.policy = policy
    }

    /// Begins a session, as a login does.
    mutating func begin(at now: SimulationInstant) -> (access: String, refresh: String) {
        sessions.append(Session(access: "", accessExpiry: now, refresh: ""))
        issue(to: sessions.count - 1, at: now)
        return (sessions[sessions.count - 1].access, sessions[sessions.count - 1].refresh)
    }

    /// The 401 that a request without a good access token gets; nil if it has one (RFC 6750, 3).
    func denial(of head: HTTPRequestHead, at now: SimulationInstant) -> ServerAnswer? {
        guard let value = head.fields["Authorization"] else {
            return .problem(
                401,
                "An access token is required",
                fields: [("WWW-Authenticate", "Bearer")]
            )
        }
        let parts = value.split(separator: " ")
        if parts.count == 2, parts[0].lowercased() == "bearer",
            let index = sessionOfAccess[String(parts[1])]
        {
            let session = sessions[index]
            if session.access == parts[1], session.accessExpiry > now, !session.isRevoked {
                return nil
            }
        }
        return .problem(
            401,
            "The access token is not good any more",
            fields: [("WWW-Authenticate", "Bearer error=\"invalid_token\"")]
        )
    }

    /// Answers `grant_type=refresh_token&refresh_token=...`.
    mutating func refresh(_ form: String, at now: SimulationInstant) -> ServerAnswer {
        var values: [String: String] = [:]
        for part in form.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { values[String(pair[0])] = String(pair[1]) }
        }
        guard values["grant_type"] == "refresh_token" else {
            return Self.error(
                values["grant_type"] == nil ? "invalid_request" : "unsupported_grant_type"
            )
        }
        guard let token = values["refresh_token"] else { return Self.error("invalid_request") }
        guard let index = sessionOfRefresh[token], !sessions[index].isRevoked else {
            return Self.error("invalid_grant")
        }
        if policy.refreshTokensWorkOnce, sessions[index].refresh != token {
            sessions[index].isRevoked = true
            return Self.error("invalid_grant")
        }
        issue(to: index, at: now)
        let session = sessions[index]
        let life = SimulatedServer.wholeSeconds(policy.accessTokensLive)
        let text =
            "{\"access_token\":\"\(session.access)\",\"token_type\":\"Bearer\","
            + "\"expires_in\":\(life),\"refresh_token\":\"\(session.refresh)\"}"
        let fields = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        return ServerAnswer(
            response: HTTPResponseMessage(
                status: 200,
                fields: HTTPFieldList(fields),
                body: Array(text.utf8)
            ),
            outcome: "issued an access token"
        )
    }

    private mutating func issue(to index: Int, at now: SimulationInstant) {
        issued += 1
        sessions[index].access = "a\(issued)"
        sessions[index].accessExpiry = now + policy.accessTokensLive
        sessionOfAccess["a\(issued)"] = index
        if policy.refreshTokensWorkOnce || sessions[index].refresh.isEmpty {
            sessions[index].refresh = "r\(issued)"
            sessionOfRefresh["r\(issued)"] = index
        }
    }

    private static func error(_ code: String) -> ServerAnswer {
        ServerAnswer(
            response: HTTPResponseMessage(
                status: 400,
                fields: HTTPFieldList([("Content-Type", "application/json")]),
                body: Array("{\"error\":\"\(code)\"}".utf8)
            ),
            outcome: "refused a refresh: \(code)"
        )
    }
}

extension SimulatedServer {
    /// Begins a session without a request, as if the user had logged in before the run.
    ///
    /// Traps when the configuration asks for no tokens.
    package func beginSession() -> (access: String, refresh: String) {
        guard var service = tokens else { preconditionFailure("this server asks for no tokens") }
        defer { tokens = service }
        return service.begin(at: now)
    }

    func prepareTokens(_ flight: ServerFlight) -> Preparation {
        if let error = scriptedError(for: flight, identity: nil, at: .beforeProcessing) {
            return .afterThinking { error }
        }
        let type = flight.exchange.head.fields["Content-Type"]?.split(separator: ";").first
        guard type?.lowercased() == "application/x-www-form-urlencoded" else {
            violate(
                flight.exchange,
                route: flight.route,
                "a token request is not application/x-www-form-urlencoded (RFC 6749, 6)"
            )
            return .afterThinking { .problem(415, "A token request is a form") }
        }
        let form = String(decoding: flight.body, as: UTF8.self)
        return .afterThinking { [self] in
            tokens?.refresh(form, at: now) ?? .problem(404, "There is nothing here")
        }
    }
}
