/// Who is waiting for a request; more urgent is greater.
public enum RequestTier: Int, Sendable, CaseIterable, Comparable {
    /// Nobody: what could as well be done tomorrow.
    case background
    /// Nobody yet, but somebody may look at it in a moment.
    case prefetch
    /// A person who looks at the place where it belongs.
    case visible
    /// A person who tapped and does nothing else until it is there.
    case interactive

    /// Orders tiers by urgency.
    public static func < (left: RequestTier, right: RequestTier) -> Bool {
        left.rawValue < right.rawValue
    }
}
