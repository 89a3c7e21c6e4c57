import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the app needs of the network; URLSession has it.
protocol HTTPClient: Sendable {
    func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)?
    ) async throws -> (Data, URLResponse)
}

extension URLSession: HTTPClient {}
