/// One request and the answer to it, as the server holds it.
package protocol HTTPExchange: AnyObject {
    /// Counted from one in a run; the same number as `RequestStart.request`.
    var number: Int64 { get }
    /// The device that asks, counted from zero.
    var device: Int { get }
    /// What the client knows of the exchange; nil when the network does not tell.
    ///
    /// For judging a client, never for serving it: a real server cannot see this.
    var clientState: HTTPClientState? { get }
    /// When the client began the exchange, in nanoseconds of the world; nil when the network does not tell.
    ///
    /// For judging a client, as `clientState` is.
    var clientBegan: Int64? { get }
    /// When the client had the head of the answer, in nanoseconds of the world; nil if it has none, or nobody tells.
    var clientAnswered: Int64? { get }
    /// When bytes of the request last arrived behind a gap, in nanoseconds of the world; nil if none did.
    ///
    /// They are of no use yet, but the line moves.
    var lastArrivalBehindGap: Int64? { get }
    /// The request's head.
    var head: HTTPRequestHead { get }
    /// Sends the whole response; the exchange is over for the server. A second call does nothing.
    func respond(_ response: HTTPResponseMessage)
    /// Closes the connection without an answer, as a crashing server does.
    func abort()
}

extension HTTPExchange {
    /// The only device of most worlds.
    package var device: Int { 0 }
    /// Not known.
    package var clientState: HTTPClientState? { nil }
    /// Not known.
    package var clientBegan: Int64? { nil }
    /// Not known.
    package var clientAnswered: Int64? { nil }
    /// Not known.
    package var lastArrivalBehindGap: Int64? { nil }

    /// Whether `other` is no request that its client still waited for when it sent this one.
    ///
    /// True when this one was sent before and came late, out of the buffers of a process that died, say; and when both
    /// are one request, which the transport sends again by itself on a new connection (RFC 9110, 9.2.2). False where
    /// the network does not tell.
    package func isNoRepetition(of other: any HTTPExchange) -> Bool {
        if number == other.number { return true }
        guard let began = clientBegan, let later = other.clientBegan else { return false }
        return began < later
    }
}

/// What a client knows of an exchange.
package enum HTTPClientState: String, Sendable, CaseIterable {
    /// It waits for the answer.
    case waiting
    /// It has the whole head of the answer.
    case answered
    /// It has given up, was told that the connection broke, or is dead.
    case gone
}
