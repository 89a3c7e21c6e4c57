import HTTPVocabulary
import Quantities

/// What uses one end of a WebSocket.
package protocol WebSocketEvents: AnyObject {
    /// Messages may be sent.
    func opened(_ socket: WebSocket)
    /// A whole message has arrived.
    func message(_ bytes: [UInt8], on socket: WebSocket)
    /// It is gone; nothing more is told.
    func closed(_ socket: WebSocket, _ reason: WebSocketClosing)
}

/// The server's side: takes sockets in.
package protocol WebSocketAcceptor: AnyObject {
    /// A client's upgrade has arrived: who is to be told of this end's events.
    func accept(_ socket: WebSocket) -> any WebSocketEvents
}

/// Why a WebSocket is gone.
package enum WebSocketClosing: String, Sendable, CaseIterable {
    /// Closed in good order, by either side.
    case finished
    /// The peer broke the connection, or ended it without a close frame.
    case reset
    /// Nobody listens, or a portal stands in the way.
    case refused
    /// A ping was not answered in time: the peer is gone, or the way to it.
    case unanswered
    /// TCP gave its retransmissions up.
    case timedOut
    /// The phone has another address now.
    case addressLost
    /// The phone knows that it has no route.
    case notConnected
    /// The name did not resolve.
    case nameNotFound
}

/// How an end makes sure that its peer is there.
package struct WebSocketHeartbeat: Equatable, Sendable {
    /// Between one ping and the next, and before the first; nil for none.
    package var interval: Duration?
    /// A ping without any byte from the peer for so long ends the socket; at most the interval.
    package var timeout: Duration

    /// Makes a heartbeat; traps if the time-out is longer than the interval.
    ///
    /// 30 s and 10 s are assumptions in the range of common clients.
    package init(interval: Duration? = .seconds(30), timeout: Duration = .seconds(10)) {
        precondition(
            timeout > .zero && timeout <= interval ?? timeout,
            "a heartbeat's time-out of \(timeout) is not within its interval"
        )
        self.interval = interval
        self.timeout = timeout
    }

    /// No pings: a half-open peer is never found while nothing is sent.
    package static let none = WebSocketHeartbeat(interval: nil)
}

/// What travels on a WebSocket's connection, either way.
enum WebSocketRecord {
    case handshake(flight: Int)
    case ticket
    case upgrade
    case accepted
    case message([UInt8])
    case ping
    case pong
    case close
}

/// What a WebSocket puts on the wire.
enum WebSocketCosts {
    /// A frame with its header (RFC 6455, 5.2): 2 bytes, 2 or 8 more for the length, 4 for the mask.
    static func frame(of payload: Int, isMasked: Bool) -> Int {
        let length = payload < 126 ? 0 : payload <= 65_535 ? 2 : 8
        return 2 + length + (isMasked ? 4 : 0) + payload
    }

    /// The upgrade (RFC 6455, 4.1); its key is 16 bytes in Base64, its target "/".
    static func request(host: String) -> Int {
        HTTPRequestHead(
            method: "GET",
            host: host,
            target: "/",
            fields: HTTPFieldList([
                ("Upgrade", "websocket"), ("Connection", "Upgrade"),
                ("Sec-WebSocket-Key", String(repeating: "a", count: 24)),
                ("Sec-WebSocket-Version", "13"),
            ])
        ).wireSize
    }

    /// The answer of RFC 6455, 1.3: four lines of 34, 20, 21 and 52 bytes, and an empty one.
    static let response = 129
}
