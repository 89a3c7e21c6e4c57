/// Why a module that has something to send sends nothing.
public enum WaitReason: Sendable, Equatable {
    /// There is no route.
    case path
    /// All that could be sent waits for its next attempt; the first is due after this long.
    case backoff(Duration)
    /// The server asked to be left alone for this long, or the retry budget is empty.
    case server(Duration)
}

extension WaitReason {
    /// Tells one reason from another, whatever the span.
    var kind: Int {
        switch self {
        case .path: 0
        case .backoff: 1
        case .server: 2
        }
    }
}
