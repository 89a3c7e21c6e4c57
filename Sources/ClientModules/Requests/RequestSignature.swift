import Foundation

/// What makes two requests one: method, address and every header field.
///
/// Names of fields compare without case, their order does not matter. A field that differs, such as
/// `Authorization`, keeps two requests apart: nobody is handed another's answer.
public struct RequestSignature: Hashable, Sendable {
    private let method: String
    private let address: String
    private let fields: [String]

    /// The signature of `request`; nil where a second one must be sent in any case.
    ///
    /// Only GET and HEAD without a body are safe to share (RFC 9110, 9.2.1).
    public init?(_ request: HTTPRequest, body: HTTPRequestBody = .none) {
        guard request.method == "GET" || request.method == "HEAD", body == .none else { return nil }
        method = request.method
        address = request.url.absoluteString
        fields = request.headers.map { "\($0.name.lowercased()):\($0.value)" }.sorted()
    }
}
