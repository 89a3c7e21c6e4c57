/// A sign-in: the tokens that it gave, and what it is known by.
public struct SessionSignIn: Sendable, Equatable {
    /// Tells one sign-in from another, so that handing over the same one twice changes nothing.
    public var identifier: String
    /// What the server gave.
    public var tokens: SessionTokens
    /// Who signed in, the same at each of their sign-ins, such as the user's id; nil where there is one account.
    public var account: String?

    /// Makes a sign-in.
    public init(identifier: String, tokens: SessionTokens, account: String? = nil) {
        self.identifier = identifier
        self.tokens = tokens
        self.account = account
    }
}
