/// How many requests of each tier may be in flight at a time.
///
/// Slots of one tier are never lent to another: a tap finds its slot free however much is
/// prefetched. What the tiers hold together is what the server and the line see: over HTTP/1.1,
/// where an HTTP client opens six connections to a host, keep the sum at six or less, or requests
/// queue up again below, in the order they came.
public struct RequestSlots: Sendable, Equatable {
    /// For requests that a person waits for after a tap.
    public var interactive: Int
    /// For what is on the screen.
    public var visible: Int
    /// For what may be on the screen soon.
    public var prefetch: Int
    /// For what nobody waits for.
    public var background: Int

    /// Makes slots; traps when a tier has none, since its requests would wait for ever.
    ///
    /// 4, 4, 2 and 2 are a choice, meant for HTTP/2. For comparison: Nuke 13 loads six pictures at a
    /// time and prefetches two; a cap of three of six for low priority took a tenth to a third off
    /// the wait for what is on the screen (Nuke, pull request 981).
    public init(interactive: Int = 4, visible: Int = 4, prefetch: Int = 2, background: Int = 2) {
        for count in [interactive, visible, prefetch, background] {
            precondition(count >= 1, "a tier of \(count) slots sends nothing")
        }
        self.interactive = interactive
        self.visible = visible
        self.prefetch = prefetch
        self.background = background
    }

    /// The slots of a tier.
    public subscript(tier: RequestTier) -> Int {
        switch tier {
        case .background: background
        case .prefetch: prefetch
        case .visible: visible
        case .interactive: interactive
        }
    }
}
