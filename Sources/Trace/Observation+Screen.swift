import Quantities

/// One picture that a screen asked for and got.
package struct ImageServing: Equatable, Sendable {
    /// Where it came from.
    package var source: Source
    /// Whether it was on screen when it arrived.
    package var isVisible: Bool
    /// From the request until the bitmap was there.
    package var wait: Duration

    /// The tier that answered.
    package enum Source: String, Sendable, CaseIterable {
        case memory
        case disk
        case network
        /// It joined a fetch that was under way for another request.
        case coalesced
    }

    /// Makes a serving.
    package init(source: Source, isVisible: Bool, wait: Duration) {
        self.source = source
        self.isVisible = isVisible
        self.wait = wait
    }
}
