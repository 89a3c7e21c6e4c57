/// What a session tells its observer; no token is ever in it.
public enum SessionEvent: Sendable, Equatable {
    /// New tokens are stored and in use.
    case refreshed
    /// The refresh did not come to an answer that counts; whoever waited is told to try later.
    case refreshFailed(FailureClass)
    /// The server refused the refresh token for good: a person has to sign in again.
    ///
    /// Told again at each start until they did; there also of a person who signed out by themselves.
    case signedOut(signIn: String)
    /// Storage refused; it is tried again.
    case storageFailed(description: String)
}
