import Synchronization

/// Until when a server asked to be left alone, for all calls that share this.
///
/// A 503 with Retry-After says how long the service is not there (RFC 9110, 10.2.3 and 15.6.4); a 429 leaves open
/// what it counts (RFC 6585, 4). That both hold for every call that shares this is a decision: another call
/// that came meanwhile would be what the server asked to be spared. Dies with the process: see `StoredServerPause`.
public final class SharedServerPause: Sendable {
    private let state = Mutex((until: Duration.zero, status: 503))
    /// Raised when a wait was asked for that ends later than the last.
    let changed = WakeSignal()

    /// Makes a pause that has not been asked for.
    public init() {}

    /// Until when nothing is to be sent, by the monotonic clock.
    public var until: Duration { state.withLock { $0.until } }

    /// The status of the answer that asked.
    public var status: Int { state.withLock { $0.status } }

    /// The server asked by an answer of `status` to be left alone until `instant`; an earlier one changes nothing.
    public func extend(until instant: Duration, status: Int) {
        let isLater = state.withLock { state in
            guard instant > state.until else { return false }
            state = (instant, status)
            return true
        }
        if isLater { changed.raise() }
    }
}
