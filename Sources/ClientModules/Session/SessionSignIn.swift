/// A sign-in: the tokens that it gave, and what it is known by.
public struct SessionSignIn: Sendable, Equatable {
    /// Tells one sign-in from another, so that handing over the same one twice changes nothing.
    public var identifier: String
    /// What the server gave.
    public var tokens: SessionTokens

    /// Makes a sign-in.
    public init(identifier: String, tokens: SessionTokens) {
        self.identifier = identifier
        self.tokens = tokens
    }
}
