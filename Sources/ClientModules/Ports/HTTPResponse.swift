import Foundation

/// A response whose head is there and whose body is pulled.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Header fields in the order received.
    public var headers: [HTTPHeader]
    /// Pulls the next piece of the body; nil at its end.
    ///
    /// Throws `URLError` when the exchange breaks.
    public var nextChunk: @Sendable () async throws -> Data?

    /// Makes a response.
    public init(
        status: Int,
        headers: [HTTPHeader],
        nextChunk: @escaping @Sendable () async throws -> Data? = { nil }
    ) {
        self.status = status
        self.headers = headers
        self.nextChunk = nextChunk
    }

    /// The first value under `name`, without regard to case.
    public subscript(header name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// Pulls the body to its end; throws `URLError.dataLengthExceedsMaximum` past `limit` bytes.
    public func body(upTo limit: Int = 1 << 20) async throws -> Data {
        var whole = Data()
        while let chunk = try await nextChunk() {
            whole.append(chunk)
            guard whole.count <= limit else { throw URLError(.dataLengthExceedsMaximum) }
        }
        return whole
    }
}
