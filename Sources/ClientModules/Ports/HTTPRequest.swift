import Foundation

/// A request without its body.
public struct HTTPRequest: Sendable, Equatable {
    /// The method, in capitals.
    public var method: String
    /// Where to.
    public var url: URL
    /// Header fields; names compare without case.
    public var headers: [HTTPHeader]
    /// Longest time without a byte moving either way before `URLError.timedOut`.
    ///
    /// URLSession's `timeoutInterval`, which is 60 s there if nothing is said: it starts anew with
    /// each piece of the body that the socket takes.
    public var idleTimeout: Duration
    /// On whose behalf, such as "outbox": what energy and bytes are charged to.
    public var purpose: String

    /// Makes a request.
    public init(
        method: String,
        url: URL,
        headers: [HTTPHeader] = [],
        idleTimeout: Duration = .seconds(60),
        purpose: String = "app"
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.idleTimeout = idleTimeout
        self.purpose = purpose
    }

    /// The first value under `name`, without regard to case; setting replaces all, nil removes.
    public subscript(header name: String) -> String? {
        get { headers.first { $0.isNamed(name) }?.value }
        set {
            headers.removeAll { $0.isNamed(name) }
            if let newValue { headers.append(HTTPHeader(name, newValue)) }
        }
    }
}
