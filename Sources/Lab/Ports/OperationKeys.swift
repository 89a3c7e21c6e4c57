import ClientModules
import Foundation

/// Tells a retry from a new request, from what is on the wire.
///
/// Requests are attempts of one operation when method, address and what makes them unique are the
/// same: the `Idempotency-Key` of a mutation, the `Upload-Offset` of an append. Without either,
/// each call of the same method and address after an answer below 500 begins another operation.
/// A picture is asked for by whoever comes to look, and given up when they leave: each time anew.
final class OperationKeys {
    /// Before each operation: tells one phone's from another's.
    private let prefix: String
    private var answered: [String: Int] = [:]
    private var pictures = 0

    /// Makes the keys of one phone.
    init(prefix: String = "") {
        self.prefix = prefix
    }

    /// The operation that `request` is an attempt of.
    func key(for request: HTTPRequest) -> String {
        let base = prefix + "\(request.method) \(request.url.path(percentEncoded: true))"
        if request.purpose == "images" {
            pictures += 1
            return "\(base) look \(pictures)"
        }
        if let key = request[header: "Idempotency-Key"] { return "\(base) key \(key)" }
        if let offset = request[header: "Upload-Offset"] { return "\(base) from \(offset)" }
        return "\(base) round \(answered[base, default: 0])"
    }

    /// Counts an answer, so that the next request of this kind is not its retry.
    func answered(_ request: HTTPRequest, status: Int) {
        guard status < 500, status != 429 else { return }
        let base = prefix + "\(request.method) \(request.url.path(percentEncoded: true))"
        answered[base, default: 0] += 1
    }
}
