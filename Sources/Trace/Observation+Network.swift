import Quantities

/// Up is from the phone, down is to it.
@usableFromInline
package enum PacketDirection: String, Sendable, CaseIterable {
    case up
    case down

    /// Whether both are the same way; spelled out so that other modules can inline it.
    @inlinable
    package static func == (left: PacketDirection, right: PacketDirection) -> Bool {
        switch (left, right) {
        case (.up, .up), (.down, .down): true
        default: false
        }
    }
}

/// One IP packet crossing the air, with what a capture at the modem would show of it.
package struct PacketCrossing: Equatable, Sendable {
    package var direction: PacketDirection
    /// Bytes of IP: headers and payload.
    package var size: Int32
    /// Transport payload bytes.
    package var payload: Int32
    /// The connection, counted from one in a run; zero for datagrams outside of one.
    package var connection: Int64
    /// First sequence number of the payload, relative to the start of the connection.
    package var sequence: Int64
    /// Acknowledged up to here, relative to the start of the peer's stream.
    package var acknowledgement: Int64
    /// TCP flags as on the wire: FIN 1, SYN 2, RST 4, PSH 8, ACK 16.
    package var flags: UInt8
    package var isRetransmission: Bool
    /// Receive window in bytes, unscaled.
    package var window: Int64
    package var isMetered: Bool
    /// Who pays for it, such as "POST /messages".
    package var owner: String
    /// What a QUIC datagram is made of; `none` for TCP and for name lookups.
    package var quic: QUICLayout

    /// Makes a crossing.
    package init(
        direction: PacketDirection,
        size: Int,
        payload: Int,
        connection: Int64,
        sequence: Int64 = 0,
        acknowledgement: Int64 = 0,
        flags: UInt8 = 16,
        isRetransmission: Bool = false,
        window: Int64 = 65_535,
        isMetered: Bool = false,
        owner: String,
        quic: QUICLayout = .none
    ) {
        self.direction = direction
        self.size = Int32(size)
        self.payload = Int32(payload)
        self.connection = connection
        self.sequence = sequence
        self.acknowledgement = acknowledgement
        self.flags = flags
        self.isRetransmission = isRetransmission
        self.window = window
        self.isMetered = isMetered
        self.owner = owner
        self.quic = quic
    }
}

/// The QUIC packets of one UDP datagram: bytes of each kind, in the order they stand on the wire.
///
/// All that a capture could show, for the rest is encrypted (RFC 9000, 12.2 and 17).
package struct QUICLayout: Equatable, Sendable {
    /// Initial packets; zero if there is none, as in the others.
    package var initial: UInt16 = 0
    /// 0-RTT packets.
    package var early: UInt16 = 0
    /// Handshake packets.
    package var handshake: UInt16 = 0
    /// A packet with a short header.
    package var application: UInt16 = 0

    /// No QUIC.
    package static let none = QUICLayout()

    /// Makes a layout.
    package init(
        initial: UInt16 = 0,
        early: UInt16 = 0,
        handshake: UInt16 = 0,
        application: UInt16 = 0
    ) {
        self.initial = initial
        self.early = early
        self.handshake = handshake
        self.application = application
    }
}

/// A packet that did not arrive, and why.
package struct PacketLoss: Equatable, Sendable {
    package var direction: PacketDirection
    package var size: Int32
    package var connection: Int64
    package var cause: Cause

    /// Why a packet vanished.
    package enum Cause: String, Sendable, CaseIterable {
        case random
        case queueFull
        case pathDown
        case blackhole
        case oldAddress
    }

    /// Makes a loss.
    package init(direction: PacketDirection, size: Int, connection: Int64, cause: Cause) {
        self.direction = direction
        self.size = Int32(size)
        self.connection = connection
        self.cause = cause
    }
}

/// A connection became usable.
package struct ConnectionOpening: Equatable, Sendable {
    package var connection: Int64
    package var host: String
    /// "http/1.1", "h2", "h3".
    package var applicationProtocol: String
    /// "none", "tls1.2", "tls1.3", "tls1.3-resumed", "tls1.3-0rtt".
    package var security: String
    /// From the first packet to the moment the request can be sent.
    package var handshake: Duration
    package var owner: String

    /// Makes an opening.
    package init(
        connection: Int64,
        host: String,
        applicationProtocol: String,
        security: String,
        handshake: Duration,
        owner: String
    ) {
        self.connection = connection
        self.host = host
        self.applicationProtocol = applicationProtocol
        self.security = security
        self.handshake = handshake
        self.owner = owner
    }
}

/// How a connection ended, as the phone sees it.
package enum ConnectionEnd: String, Sendable, CaseIterable {
    case finished
    case reset
    case timedOut
    case addressLost
    case processDied
    /// The system took the socket of a process that lives on.
    case reclaimed
    case idle
}

/// What happened on a stream of events from the server; events are numbered from one.
package enum LiveEvent: Equatable, Sendable {
    /// The server published an event.
    case published(Int64)
    /// It arrived at the phone, so long after it was published.
    case received(Int64, after: Duration)
    /// The client listens, for the how-manieth time in this launch.
    case opened(times: Int)
}

/// The app asked its HTTP client to send a request.
package struct RequestStart: Equatable, Sendable {
    /// Counted from one in a run.
    package var request: Int64
    package var method: String
    /// Route template without query or identifiers, such as "PATCH /files/*".
    package var route: String
    /// Attempts of one operation share this: what is counted as a retry.
    package var operation: String
    package var bodySize: ByteCount
    package var owner: String

    /// Makes a start.
    package init(
        request: Int64,
        method: String,
        route: String,
        operation: String,
        bodySize: ByteCount,
        owner: String
    ) {
        self.request = request
        self.method = method
        self.route = route
        self.operation = operation
        self.bodySize = bodySize
        self.owner = owner
    }
}

/// The app's HTTP client handed over the end of a response, or an error.
package struct RequestEnd: Equatable, Sendable {
    package var request: Int64
    package var result: Result

    /// What the app was told.
    package enum Result: Equatable, Sendable {
        case status(Int)
        /// The name of the `URLError.Code`, such as "timedOut".
        case failure(String)
    }

    /// Makes an end.
    package init(request: Int64, result: Result) {
        self.request = request
        self.result = result
    }
}
