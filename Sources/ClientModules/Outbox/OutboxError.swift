/// Why an intent was not taken in.
///
/// Nothing was promised then, and nothing was written.
public enum OutboxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An intent of this identity is pending or lies among the dead letters.
    case identityInUse(String)
    /// The path cannot be made a URL.
    case badPath(String)

    /// What is wrong, and the remedy.
    public var description: String {
        switch self {
        case .identityInUse(let identity):
            "an intent named '\(identity)' is in the outbox: give each intent an identity of its own"
        case .badPath(let path):
            "'\(path)' is no path of a URL: escape it as RFC 3986 says"
        }
    }
}
