import Foundation
@testable import Chat

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A bug that many apps have shipped: a layer below the outbox stamps every attempt with a key of its own.
///
/// When an answer is lost, the server takes the second attempt for a second message.
struct NewKeyForEachAttempt: HTTPClient {
    let base: any HTTPClient

    func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)?
    ) async throws -> (Data, URLResponse) {
        var request = request
        request.setValue("\"\(UUID().uuidString)\"", forHTTPHeaderField: "Idempotency-Key")
        return try await base.data(for: request, delegate: delegate)
    }
}
