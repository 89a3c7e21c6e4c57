import Quantities

/// What both ends of a QUIC connection are set to; the defaults are those of RFC 9000 and RFC 9002.
///
/// Sizes are bytes of UDP payload unless said otherwise.
package struct QUICSettings: Sendable, Equatable {
    /// How the window grows after slow start; RFC 9002 describes NewReno, and allows others.
    package var congestionControl = TCPSettings.CongestionControl.cubic
    /// A full datagram after the handshake: Chromium's default of 1,350 (assumption; RFC 9000, 14 allows 1,200 and more).
    package var datagramSize = 1_350
    /// Datagrams in the first flight (RFC 9002, 7.2).
    package var initialWindow = 10
    /// The round trip before any sample (RFC 9002, 6.2.2): the first probe time-out is three of them.
    package var initialRoundTrip = Duration.milliseconds(333)
    /// How long a receiver holds an acknowledgement back (RFC 9000, 18.2: max_ack_delay).
    package var longestAckDelay = Duration.milliseconds(25)
    /// Packets that overtake before one counts as lost (RFC 9002, 6.1.1).
    package var packetThreshold: Int64 = 3
    /// The least time of any timer (RFC 9002, 6.1.2).
    package var granularity = Duration.milliseconds(1)
    /// Silence that ends a connection without a word (RFC 9000, 10.1); 30 s is an assumption in the range of common servers.
    package var idleTimeout = Duration.seconds(30)
    /// Silence after which a client with an open request sends a PING (RFC 9114, 5.1); nil for none.
    ///
    /// 15 s is an assumption: half of the idle time-out.
    package var keepAlive: Duration? = .seconds(15)
    /// Bytes of a stream that a receiver takes unread; 6 MiB, as the TCP model's largest window.
    package var streamWindow: Int64 = 6 << 20
    /// Bytes of all streams that a receiver takes unread (assumption: two and a half streams).
    package var connectionWindow: Int64 = 15 << 20
    /// Whether a client takes its connection along to another address (RFC 9000, 9).
    ///
    /// Without, a change of address breaks it, as a server may ask (disable_active_migration).
    package var migrates = true
    /// Whether slow start leaves early on rising delay, as `TCPSettings` says.
    package var usesHyStart = true
    /// TLS messages of the server's first flight: hello, certificate and Finished; nil as for TLS over TCP.
    ///
    /// Beyond three times what the client has sent, they wait for it (RFC 9000, 8.1).
    package var serverFlight: Int?

    /// The least datagram with an Initial packet (RFC 9000, 14.1), and the largest before the path is known.
    package static let leastDatagram = 1_200

    /// Makes the default settings.
    package init() {}
}

/// The times of `QUICSettings` in nanoseconds, taken out once for the inner loops.
struct QUICTimes {
    let initialRoundTrip: Int64
    let longestAckDelay: Int64
    let granularity: Int64
    let idleTimeout: Int64
    let keepAlive: Int64?

    init(_ settings: QUICSettings) {
        initialRoundTrip = settings.initialRoundTrip.wholeNanoseconds
        longestAckDelay = settings.longestAckDelay.wholeNanoseconds
        granularity = settings.granularity.wholeNanoseconds
        idleTimeout = settings.idleTimeout.wholeNanoseconds
        keepAlive = settings.keepAlive?.wholeNanoseconds
    }
}
