import Foundation
import SQLiteStore

/// Sends with the access token; after a 401 once more, with another one.
///
/// A file that is another one by the time that there is a token is not sent: whoever looked at it did so before.
struct SessionTransport: HTTPTransport {
    let session: Session
    let transport: any HTTPTransport
    /// Whose requests they are; nil for whoever is signed in.
    var account: String?

    func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        progress: (@Sendable (_ bytesHandedOver: Int64) -> Void)?
    ) async throws -> HTTPResponse {
        // Another server's request, or one that brings its own credentials.
        guard session.configuration.covers(request.url), request[header: "Authorization"] == nil
        else { return try await transport.send(request, body: body, progress: progress) }
        let source = source(of: body)
        let token = try await session.accessToken(insteadOf: nil, of: account)
        try check(body, is: source)
        let answer = try await transport.send(
            request.bearing(token),
            body: body,
            progress: progress
        )
        guard answer.refusesToken else { return answer }
        // Its end gives the connection back; what it says does not matter.
        _ = try? await answer.body(upTo: 64 << 10)
        let fresh = try await session.accessToken(insteadOf: token, of: account)
        try check(body, is: source)
        let second = try await transport.send(
            request.bearing(fresh),
            body: body,
            progress: progress
        )
        guard second.refusesToken else { return second }
        // Two tokens in a row: not the request's fault, so it is to be kept and tried later.
        throw URLError(.userAuthenticationRequired)
    }

    /// The file that a body lies in, as it is now; nil for another body, and where nothing can be said.
    private func source(of body: HTTPRequestBody) -> FileMetadata? {
        guard case .file(let path, _) = body else { return nil }
        return try? session.environment.files.metadata(of: path)
    }

    private func check(_ body: HTTPRequestBody, is source: FileMetadata?) throws {
        guard self.source(of: body) == source else {
            throw URLError(.requestBodyStreamExhausted)
        }
    }
}

extension HTTPRequest {
    /// The request with an access token (RFC 6750, 2.1).
    func bearing(_ token: String) -> HTTPRequest {
        var request = self
        request[header: "Authorization"] = "Bearer \(token)"
        return request
    }
}

extension HTTPResponse {
    /// Whether it says that the access token is missing, expired or revoked (RFC 6750, 3.1).
    fileprivate var refusesToken: Bool { status == 401 }
}
