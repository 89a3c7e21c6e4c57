import HTTPVocabulary
import Quantities

/// Access tokens that expire and refresh tokens that work once (RFC 6749, 6; RFC 9700, 4.14.2).
struct TokenService {
    private struct Session {
        var access: String
        var accessExpiry: SimulationInstant
        var refresh: String
        /// The refresh token that was exchanged for the present one, and when.
        var previous: String?
        var rotation = SimulationInstant.zero
        /// Whether a token of the last answer has been used.
        var isSuccessorUsed = false
        var standing = SessionStanding.good
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
        issue(to: sessions.count - 1, at: now, rotates: true)
        return (sessions[sessions.count - 1].access, sessions[sessions.count - 1].refresh)
    }

    /// The 401 that a request without a good access token gets; nil if it has one (RFC 6750, 3).
    mutating func denial(of head: HTTPRequestHead, at now: SimulationInstant) -> ServerAnswer? {
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
            if session.access == parts[1], session.accessExpiry > now, session.standing == .good {
                sessions[index].isSuccessorUsed = true
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
        guard let index = sessionOfRefresh[token], sessions[index].standing == .good else {
            return Self.error("invalid_grant")
        }
        let isForgiven =
            sessions[index].refresh != token && forgives(token, of: sessions[index], at: now)
        guard !policy.refreshTokensWorkOnce || sessions[index].refresh == token || isForgiven else {
            sessions[index].standing = .reused
            return Self.error("invalid_grant")
        }
        issue(to: index, at: now, rotates: policy.refreshTokensWorkOnce && !isForgiven)
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

    /// Whether a refresh token that is not the present one may be what a client holds that lost an answer.
    private func forgives(
        _ token: String,
        of session: Session,
        at now: SimulationInstant
    ) -> Bool {
        guard session.previous == token else { return false }
        return switch policy.usedRefreshToken {
        case .isRefused: false
        case .isForgiven(let span): now < session.rotation + span
        case .isForgivenUntilItsSuccessorIsUsed: !session.isSuccessorUsed
        }
    }

    private mutating func issue(to index: Int, at now: SimulationInstant, rotates: Bool) {
        issued += 1
        sessions[index].access = "a\(issued)"
        sessions[index].accessExpiry = now + policy.accessTokensLive
        sessionOfAccess["a\(issued)"] = index
        guard rotates else { return }
        sessions[index].previous = sessions[index].refresh
        sessions[index].rotation = now
        sessions[index].isSuccessorUsed = false
        sessions[index].refresh = "r\(issued)"
        sessionOfRefresh["r\(issued)"] = index
    }

    // MARK: What the lab does to a session, known by any of its refresh tokens

    /// Ends the access token before its time; false when there is none that is good.
    mutating func expireAccess(ofSession refresh: String, at now: SimulationInstant) -> Bool {
        guard let index = sessionOfRefresh[refresh], sessions[index].standing == .good,
            sessions[index].accessExpiry > now
        else { return false }
        sessions[index].accessExpiry = now
        return true
    }

    /// Ends the session, as an administrator or a change of the password does; false when it is over.
    mutating func revoke(session refresh: String) -> Bool {
        guard let index = sessionOfRefresh[refresh], sessions[index].standing == .good else {
            return false
        }
        sessions[index].standing = .revoked
        return true
    }

    /// What the server holds of a session; nil for one that it never began.
    func standing(ofSession refresh: String) -> SessionStanding? {
        sessionOfRefresh[refresh].map { sessions[$0].standing }
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

/// Whether a session goes on, and if not, why.
package enum SessionStanding: Sendable {
    /// It goes on.
    case good
    /// The lab ended it.
    case revoked
    /// A refresh token came that had been used: it may be stolen, so nobody keeps the session.
    case reused
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

    /// Ends the access token of a session before its time; false when there is none that is good.
    ///
    /// A session is known by any refresh token that it was given.
    package func expireAccess(ofSession refresh: String) -> Bool {
        tokens?.expireAccess(ofSession: refresh, at: now) ?? false
    }

    /// Ends a session, as an administrator or a change of the password does; false when it is over.
    package func revoke(session refresh: String) -> Bool {
        tokens?.revoke(session: refresh) ?? false
    }

    /// What the server holds of a session; nil for one that it never began.
    package func standing(ofSession refresh: String) -> SessionStanding? {
        tokens?.standing(ofSession: refresh)
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
