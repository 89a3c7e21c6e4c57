import Quantities

/// What a request asks of the transport, beside its head and body.
package struct RequestOptions: Sendable {
    /// The number that the lab gave the request: becomes `HTTPExchange.number`.
    package var number: Int64
    /// Who pays for its packets, such as "POST /messages".
    package var owner: String
    /// No byte either way for this long fails it with `timedOut`; nil waits for ever.
    ///
    /// 60 s is the documented default of `timeoutIntervalForRequest`. What the peer acknowledges counts, also
    /// behind a gap: a lost segment that waits in a queue of a slow line holds the stream up for longer than
    /// this, while bytes move. That a client sees that is an assumption: Apple documents that each byte restarts
    /// the timer; OkHttp goes by its socket's buffer, and gives up (square/okhttp#3373).
    package var idleTimeout: Duration?
    /// Opening a connection, name lookup included, may take this long; nil leaves it to `idleTimeout`.
    package var connectTimeout: Duration?
    /// Whether the connection is encrypted, and how.
    package var security: TransportSecurity
    /// Whether the client pulls the body by `HTTPClientEngine.pull`; else chunks are pushed.
    package var pullsBody: Bool

    /// Makes options.
    package init(
        number: Int64,
        owner: String,
        idleTimeout: Duration? = .seconds(60),
        connectTimeout: Duration? = nil,
        security: TransportSecurity = .tls13,
        pullsBody: Bool = false
    ) {
        self.number = number
        self.owner = owner
        self.idleTimeout = idleTimeout
        self.connectTimeout = connectTimeout
        self.security = security
        self.pullsBody = pullsBody
    }
}

/// How a connection is encrypted.
package enum TransportSecurity: String, Sendable, CaseIterable {
    /// Plain text.
    case none
    /// Two round trips after the TCP handshake (RFC 5246); one when resumed.
    case tls12 = "tls1.2"
    /// One round trip after the TCP handshake (RFC 8446).
    case tls13 = "tls1.3"
}

/// Names one request in flight in one engine.
package struct RequestToken: Hashable, Sendable, Comparable {
    /// Counted from one in an engine.
    package let number: Int64

    /// Makes a token.
    package init(number: Int64) {
        self.number = number
    }

    /// Orders by age.
    package static func < (left: RequestToken, right: RequestToken) -> Bool {
        left.number < right.number
    }
}
