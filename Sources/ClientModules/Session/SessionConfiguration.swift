import Foundation

/// How a session behaves.
public struct SessionConfiguration: Sendable {
    /// Where tokens are refreshed (RFC 6749, 3.2); tokens go to requests of the same origin alone.
    public var tokenEndpoint: URL
    /// What the server knows the app by; nil where it asks for none (RFC 6749, 3.2.1).
    public var clientIdentifier: String?
    /// The database's name in the environment's directory.
    public var database: String
    /// Longest time for one refresh.
    public var attemptTimeout: Duration
    /// Waits between attempts to store what the server gave.
    public var retry: RetryPolicy

    /// Makes a configuration; 15 s for a refresh are an assumption, below the 30 s of an attempt of others.
    public init(
        tokenEndpoint: URL,
        clientIdentifier: String? = nil,
        database: String = "session.sqlite",
        attemptTimeout: Duration = .seconds(15),
        retry: RetryPolicy = RetryPolicy()
    ) {
        self.tokenEndpoint = tokenEndpoint
        self.clientIdentifier = clientIdentifier
        self.database = database
        self.attemptTimeout = attemptTimeout
        self.retry = retry
    }

    /// Whether an address is of the server that the tokens are for.
    func covers(_ url: URL) -> Bool {
        url.scheme == tokenEndpoint.scheme && url.host() == tokenEndpoint.host()
            && url.port == tokenEndpoint.port
    }
}
