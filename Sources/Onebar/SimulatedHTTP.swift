import ClientModules
import Foundation
import Quantities
import SQLiteStore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An HTTP client on the simulated network, in the shape of URLSession.
///
/// Let your own protocol conform with an empty extension: `extension SimulatedHTTP: HTTPClient {}`.
/// Errors are `URLError` values, as on a phone.
public final class SimulatedHTTP: Sendable {
    private let environment: ClientEnvironment

    init(environment: ClientEnvironment) {
        self.environment = environment
    }

    /// Sends a request and returns its whole response; throws `URLError`.
    public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let body = request.httpBody.map { HTTPRequestBody.data($0) } ?? .none
        return try await exchange(request, body)
    }

    /// Uploads bytes and returns the whole response; throws `URLError`.
    public func upload(
        for request: URLRequest,
        from bodyData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await exchange(request, .data(bodyData))
    }

    /// Uploads a file of the phone, read as it is sent, and returns the whole response.
    ///
    /// The path of `fileURL` is one of the simulated phone, as `Launch.file(_:)` gives it.
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        guard let size = try environment.files.metadata(of: fileURL.path)?.size else {
            throw URLError(.fileDoesNotExist)
        }
        return try await exchange(request, .file(path: fileURL.path, range: 0..<size))
    }

    /// Sends a request and keeps the response's body in a file of the phone.
    public func download(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        let (data, response) = try await data(for: request, delegate: delegate)
        let path = "\(environment.directory)/download-\(environment.random.identifier())"
        let file = try environment.files.open(path, create: true)
        defer { file.close() }
        try data.withUnsafeBytes { try file.write($0, at: 0) }
        return (URL(fileURLWithPath: path), response)
    }

    private func exchange(
        _ request: URLRequest,
        _ body: HTTPRequestBody
    ) async throws -> (Data, URLResponse) {
        guard let url = request.url else { throw URLError(.badURL) }
        let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        let response = try await environment.transport.send(
            HTTPRequest(
                method: request.httpMethod ?? "GET",
                url: url,
                headers: headers.map { HTTPHeader($0.key, $0.value) },
                idleTimeout: .milliseconds(Int64(request.timeoutInterval * 1_000)),
                purpose: "app"
            ),
            body: body,
            progress: nil
        )
        let data = try await response.body(upTo: .max)
        let fields = Dictionary(
            response.headers.map { ($0.name, $0.value) },
            uniquingKeysWith: { "\($0), \($1)" }
        )
        guard
            let head = HTTPURLResponse(
                url: url,
                statusCode: response.status,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        else { throw URLError(.badServerResponse) }
        return (data, head)
    }
}
