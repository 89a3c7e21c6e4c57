import Quantities

/// What a server publishes on its event stream: what a profile's `server.stream` says.
package struct EventStreamSettings: Equatable, Sendable {
    /// Between one event and the next, drawn for each.
    package var every: QuantityRange<Duration>
    /// An event's payload.
    package var size: ByteCount
    /// Silence after which a heartbeat goes out to each subscriber; nil for none.
    ///
    /// WHATWG HTML, 9.2.7 advises a comment line every 15 seconds or so.
    package var heartbeat: Duration?
    /// Events that a reconnecting client may still be sent; 100 is an assumption.
    package var keeps: Int

    /// Makes settings.
    package init(
        every: QuantityRange<Duration>,
        size: ByteCount = .bytes(200),
        heartbeat: Duration? = .seconds(15),
        keeps: Int = 100
    ) {
        self.every = every
        self.size = size
        self.heartbeat = heartbeat
        self.keeps = keeps
    }
}

/// How a client listens: what a profile's `app.live` says.
package struct LiveSettings: Equatable, Sendable {
    /// What carries the events.
    package enum Channel: String, Sendable, CaseIterable {
        /// Server-sent events (WHATWG HTML, 9.2): text over one response that does not end.
        case sse
        /// RFC 6455; nothing is repeated after a reconnection.
        case websocket
    }

    /// What carries the events.
    package var over: Channel
    /// From the loss of a connection to the next attempt.
    ///
    /// WHATWG HTML, 9.2.2: "in the region of a few seconds"; 3 s is an assumption within it.
    package var retry: Duration
    /// Silence after which the client takes the connection for dead; nil for never, as in browsers.
    ///
    /// To be longer than the server's heartbeat.
    package var timeout: Duration?
    /// Between the client's own pings, with WebSockets; nil for none.
    package var ping: Duration?

    /// Makes settings.
    package init(
        over: Channel = .sse,
        retry: Duration = .seconds(3),
        timeout: Duration? = nil,
        ping: Duration? = nil
    ) {
        self.over = over
        self.retry = retry
        self.timeout = timeout
        self.ping = ping
    }
}
