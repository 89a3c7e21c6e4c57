import Synchronization

/// Until when a server asked to be left alone, for all calls to it that share this.
///
/// `Retry-After` is about the server, not about the one request that was answered with it (RFC 9110, 10.2.3):
/// another call that came meanwhile would be what the server asked to be spared.
public final class SharedServerPause: Sendable {
    private let end = Mutex(Duration.zero)

    /// Makes a pause that has not been asked for.
    public init() {}

    /// Until when nothing is to be sent, by the monotonic clock.
    public var until: Duration { end.withLock { $0 } }

    /// The server asked to be left alone until `instant`; an earlier one changes nothing.
    public func extend(until instant: Duration) {
        end.withLock { $0 = max($0, instant) }
    }
}
