/// What a server gives to a client that may act for somebody (RFC 6749, 5.1).
public struct SessionTokens: Sendable, Equatable {
    /// Goes with each request.
    public var access: String
    /// Gets the next access token; where the server rotates, it works once.
    public var refresh: String
    /// How long the access token is good from when it was issued; nil if the server did not say.
    public var accessLifetime: Duration?

    /// Makes a pair.
    public init(access: String, refresh: String, accessLifetime: Duration? = nil) {
        self.access = access
        self.refresh = refresh
        self.accessLifetime = accessLifetime
    }
}
