import Quantities

/// A middlebox that ends the phone's connections, and asks the origin itself once it has a whole request.
///
/// As proxies do that buffer request bodies (nginx's `proxy_request_buffering on`, its default), or that
/// look into TLS. To the phone every byte is acknowledged long before the origin has seen any; a request
/// that is cut is thrown away, so the origin keeps nothing of it and no upload can go on from there.
package struct ProxySettings: Equatable, Sendable {
    /// From the proxy to the origin and back.
    package var originRTT: Duration
    /// A longer body is answered with 413 (nginx's `client_max_body_size`); nil for any.
    package var largestBody: ByteCount?

    /// Makes settings; 20 ms are an assumption: proxy and origin in neighbouring places.
    package init(originRTT: Duration = .milliseconds(20), largestBody: ByteCount? = nil) {
        self.originRTT = originRTT
        self.largestBody = largestBody
    }
}
