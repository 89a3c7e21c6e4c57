import Quantities

/// The person leaves the app for another one, and comes back.
package struct LeaveAction: Equatable, Sendable {
    /// How long they stay away.
    package var lasts: Duration
    /// What the other app needs in front.
    package var otherApp: ByteCount

    /// Makes an absence.
    package init(lasts: Duration, otherApp: ByteCount) {
        self.lasts = lasts
        self.otherApp = otherApp
    }
}
