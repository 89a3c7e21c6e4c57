import Quantities

/// What an HTTP client is set to.
package struct HTTPClientSettings: Sendable {
    /// What a client speaks, by the names of ALPN (RFC 7301, RFC 9114).
    package enum ApplicationProtocol: String, Sendable, CaseIterable {
        /// One exchange at a time on each connection.
        case http1 = "http/1.1"
        /// Many at a time on one connection, over TLS only.
        case http2 = "h2"
        /// The same over QUIC, in place of TCP and TLS.
        case http3 = "h3"
    }

    /// What it speaks; URLSession would take HTTP/2 wherever the server offers it.
    package var applicationProtocol = ApplicationProtocol.http1
    /// Connections to one host, with HTTP/1.1; 6 is URLSession's documented default on iOS.
    package var connectionsPerHost = 6
    /// An idle connection is closed after this long; assumption, in the range of common clients.
    package var idleConnectionTimeout: Duration = .seconds(60)
    /// Whether TLS sessions are resumed within one launch.
    package var resumesSessions = false
    /// Whether a safe request goes with the first flight of a resumed TLS 1.3 handshake (RFC 8470, 4).
    package var sendsEarlyData = false
    /// How bytes travel.
    package enum Transport: String, Sendable, CaseIterable {
        /// Packets, handshakes, loss: TCP, or QUIC for HTTP/3.
        case tcp
        /// Bodies at the link's rate and nothing else: what textbooks reckon with.
        case ideal
    }

    /// How bytes travel.
    package var transport = Transport.tcp
    /// Bytes that the ideal transport sends at once; what is cut in the middle counts in part.
    package var idealPacketSize = 1_500
    /// Both ends of every connection of HTTP/1.1 and HTTP/2.
    package var tcp = TCPSettings()
    /// Both ends of every connection of HTTP/3.
    package var quic = QUICSettings()

    /// Makes default settings.
    package init() {}
}
