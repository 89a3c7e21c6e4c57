import Quantities

/// A push comes for the app, and the app asks the server what it is about.
package struct PushAction: Equatable, Sendable {
    /// Whether the sender asked for it to be delivered at once.
    package var isHigh: Bool
    /// What the app asks.
    package var fetch: RequestAction

    /// Makes a push.
    package init(isHigh: Bool, fetch: RequestAction) {
        self.isHigh = isHigh
        self.fetch = fetch
    }

    /// How urgent the sender says that it is.
    package enum Priority: String, Sendable, CaseIterable {
        case normal
        case high
    }
}
