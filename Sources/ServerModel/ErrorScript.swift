/// An error that the server is told to answer: which requests, with what, how often.
package struct ErrorScript: Equatable, Sendable {
    /// Which route, such as "POST /messages" or "PATCH /files/*"; nil for all.
    package var route: String?
    /// The number of the first request that is hit, counted from one on the route from now; nil for any.
    package var nth: Int?
    /// Only requests whose effect would have this identity: a poisoned message.
    package var identity: String?
    /// The status to answer.
    package var status: Int
    /// What `Retry-After` says, in whole seconds rounded up; nil for none.
    package var retryAfter: Duration?
    /// How many matching requests are hit; nil for all.
    package var times: Int?
    /// When in a request's life the error strikes.
    package var stage: Stage

    /// When in a request's life an error strikes.
    package enum Stage: String, Sendable, CaseIterable {
        /// Ahead of the service, as by a gateway: nothing is done, no result is stored.
        case beforeProcessing
        /// Instead of the effect: nothing is done, and the error is the stored result of the key.
        case insteadOfEffect
        /// After the effect: it is done, and the error is the stored result of the key.
        case afterEffect
    }

    /// Makes a script; traps unless the status is an error and counts are positive.
    package init(
        route: String? = nil,
        nth: Int? = nil,
        identity: String? = nil,
        status: Int,
        retryAfter: Duration? = nil,
        times: Int? = 1,
        stage: Stage = .beforeProcessing
    ) {
        precondition((400...599).contains(status), "\(status) is no error status")
        precondition(nth ?? 1 > 0 && times ?? 1 > 0, "requests are counted from one")
        self.route = route
        self.nth = nth
        self.identity = identity
        self.status = status
        self.retryAfter = retryAfter
        self.times = times
        self.stage = stage
    }
}
