import Foundation

/// A whole response: all who asked for it hold the same bytes.
public struct ScheduledResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Header fields in the order received.
    public var headers: [HTTPHeader]
    /// The body, to its end.
    public var body: Data

    /// Makes a response.
    public init(status: Int, headers: [HTTPHeader], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value under `name`, without regard to case.
    public subscript(header name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }
}
