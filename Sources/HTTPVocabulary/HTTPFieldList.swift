/// Header fields in the order they are sent; names compare without case, as HTTP says (RFC 9110, 5.1).
package struct HTTPFieldList: Equatable, Sendable {
    /// Name and value as written.
    package private(set) var fields: [(name: String, value: String)] = []

    /// Makes a list of `fields`.
    package init(_ fields: [(String, String)] = []) {
        self.fields = fields.map { ($0.0, $0.1) }
    }

    /// The first value under `name`, or nil; setting replaces all, setting nil removes all.
    package subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    /// Adds a field after the others, keeping those of the same name.
    package mutating func append(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// Bytes on the wire in HTTP/1.1: "name: value CRLF" for each field.
    package var wireSize: Int {
        fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    /// Equal when names (without case), values and order are.
    package static func == (left: HTTPFieldList, right: HTTPFieldList) -> Bool {
        left.fields.count == right.fields.count
            && zip(left.fields, right.fields).allSatisfy {
                same($0.name, $1.name) && $0.value == $1.value
            }
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte + 32 : byte
    }
}
