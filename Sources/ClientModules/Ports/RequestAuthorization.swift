/// Adds what a server wants to know of the user, such as an `Authorization` field, to a request.
///
/// Called before every send. The second argument is true once, after a 401: then fetch fresh
/// credentials first. What it throws ends the attempt as one that never left.
public typealias RequestAuthorization =
    @Sendable (_ request: HTTPRequest, _ wasRefused: Bool) async throws -> HTTPRequest
