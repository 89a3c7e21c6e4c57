import Foundation

/// What a token endpoint's answer comes to.
enum SessionAnswer: Sendable {
    /// New tokens.
    case tokens(SessionTokens)
    /// The refresh token is not good any more, and never will be (RFC 6749, 5.2: `invalid_grant`).
    case refused
    /// Nothing that counts: to be tried again.
    case failed(FailureClass, retryAfter: Duration?)

    private struct Success: Decodable {
        var access: String
        var refresh: String?
        var lifetime: Double?

        enum CodingKeys: String, CodingKey {
            case access = "access_token"
            case refresh = "refresh_token"
            case lifetime = "expires_in"
        }
    }

    private struct Failure: Decodable {
        var error: String
    }

    /// Reads an answer to the use of `refresh`, which stays good if the answer brings no other (RFC 6749, 6).
    init(status: Int, body: Data, retryAfter: Duration?, refresh: String) {
        let decoder = JSONDecoder()
        if status == 200, let success = try? decoder.decode(Success.self, from: body) {
            self = .tokens(
                SessionTokens(
                    access: success.access,
                    refresh: success.refresh ?? refresh,
                    accessLifetime: success.lifetime.map { .seconds(Int64($0)) }
                )
            )
        } else if status == 400 || status == 401,
            let failure = try? decoder.decode(Failure.self, from: body),
            failure.error == "invalid_grant"
        {
            self = .refused
        } else {
            self = .failed(
                FailureClass(status: status) ?? .connectFail,
                retryAfter: retryAfter
            )
        }
    }
}

/// `grant_type=refresh_token`, as a form (RFC 6749, 6).
struct TokenRequest: Sendable {
    /// Method, address and fields.
    let head: HTTPRequest
    /// The body.
    let form: Data

    init(configuration: SessionConfiguration, refresh: String) {
        head = HTTPRequest(
            method: "POST",
            url: configuration.tokenEndpoint,
            headers: [
                HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
                HTTPHeader("Accept", "application/json"),
            ],
            purpose: "session"
        )
        var text = "grant_type=refresh_token&refresh_token=\(Self.encoded(refresh))"
        if let client = configuration.clientIdentifier {
            text += "&client_id=\(Self.encoded(client))"
        }
        form = Data(text.utf8)
    }

    private static func encoded(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
        )
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}
