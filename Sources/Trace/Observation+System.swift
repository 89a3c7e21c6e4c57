import Quantities

/// What a phone that nobody uses lets through.
package enum DozeState: String, Sendable, CaseIterable {
    /// It is in use, or plugged in.
    case awake
    /// Its screen is dark, and nothing is held up yet.
    case inactive
    /// Light doze: network and jobs of apps are held up.
    case light
    /// A maintenance window of light doze.
    case lightWindow
    /// Deep doze.
    case deep
    /// A maintenance window of deep doze.
    case deepWindow
}

/// What the operating system did with an app's wish to work out of sight.
package enum SystemEvent: Equatable, Sendable {
    /// Doze changed.
    case doze(DozeState)
    /// An app was given time.
    case windowOpened(BackgroundGrant)
    /// The time is over, after so long; the app ended it itself, or did not.
    case windowClosed(BackgroundGrant, lasted: Duration, ended: Bool)
    /// A push came for the app.
    case push(PushFate)
    /// A transfer of the system went on.
    case transfer(identifier: String, TransferStep)

    /// Why an app was given time.
    package enum BackgroundGrant: String, Sendable, CaseIterable {
        /// It asked for time to finish.
        case finishing
        /// It asked to refresh.
        case refresh
        /// It asked for long work.
        case processing
        /// A push came.
        case push
        /// A transfer has a result.
        case transfer
    }

    /// What became of a push.
    package enum PushFate: String, Sendable, CaseIterable {
        /// The app heard of it.
        case delivered
        /// It waits for the phone to let it through.
        case deferred
        /// It was put together with one that waits.
        case merged
        /// There were too many.
        case throttled
        /// Nobody may start the app for it.
        case dropped
    }

    /// How a transfer goes on.
    package enum TransferStep: String, Sendable, CaseIterable {
        case handedOver
        case started
        case waits
        case ranOutOfTime
        case finished
        case failed
        case cancelled
        case confirmed
    }
}
