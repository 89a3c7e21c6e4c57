/// One header field.
public struct HTTPHeader: Sendable, Hashable {
    /// The name as written.
    public var name: String
    /// The value as written.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has this name, without regard to case (RFC 9110, 5.1).
    public func isNamed(_ other: String) -> Bool {
        name.lowercased() == other.lowercased()
    }
}
