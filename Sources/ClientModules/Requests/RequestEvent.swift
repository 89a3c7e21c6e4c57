/// What a scheduler did with a request.
public enum RequestEvent: Sendable, Equatable {
    /// It was sent, after it had waited for a slot of its tier for so long.
    case started(HTTPRequest, RequestTier, waited: Duration)
    /// It was not sent: the same is asked for already, and its answer will do.
    case joined(HTTPRequest, RequestTier)
    /// Nobody wants it any more; in flight, its transfer was ended.
    case cancelled(HTTPRequest, wasInFlight: Bool)
}
