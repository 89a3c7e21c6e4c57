import Quantities
import Trace

/// A connection in a client's pool, whatever it speaks.
protocol PooledConnection: AnyObject {
    var host: String { get }
    var security: TransportSecurity { get }
    /// Whether its handshake is under way.
    var isOpening: Bool { get }
    /// Whether it may take a request now.
    var isReusable: Bool { get }
    /// Whether this request may go on it now: as early data, only a safe one (RFC 8470, 4).
    func accepts(_ request: ActiveRequest) -> Bool
    /// Whether one connection carries all requests to its host.
    var isShared: Bool { get }
    /// Whether an exchange has ended on it.
    var wasUsed: Bool { get }
    /// When bytes of a request last reached the peer, in order or behind a gap; nil before that.
    func lastDelivery(of request: ActiveRequest) -> SimulationInstant?
    /// Sends a request.
    func begin(_ request: ActiveRequest)
    /// Hands over a piece of a body, if one was asked for and is there.
    func pull(_ request: ActiveRequest)
    /// Gives one request up; the client has been told.
    func drop(_ request: ActiveRequest, _ end: ConnectionEnd)
    /// Breaks the whole connection.
    func abort(_ end: ConnectionEnd)
    /// The system closes the socket: the process died, or may not keep it.
    func orphan(_ end: ConnectionEnd)
    /// The power is gone.
    func vanish()
}
