/// Strings of structured fields (RFC 9651, 3.3.3): quoted, printable ASCII, `\"` and `\\` escaped.
package enum StructuredString {
    /// The string that `text` holds as a whole item; nil when it is no sf-string.
    ///
    /// Spaces around it are allowed, parameters are not.
    package static func read(_ text: String) -> String? {
        var bytes = Array(text.utf8)[...]
        while bytes.first == space { bytes.removeFirst() }
        while bytes.last == space { bytes.removeLast() }
        guard bytes.popFirst() == quote else { return nil }
        var content: [UInt8] = []
        while let byte = bytes.popFirst() {
            switch byte {
            case backslash:
                guard let escaped = bytes.popFirst(), escaped == quote || escaped == backslash
                else { return nil }
                content.append(escaped)
            case quote:
                return bytes.isEmpty ? String(decoding: content, as: UTF8.self) : nil
            case 0x20...0x7E:
                content.append(byte)
            default:
                return nil
            }
        }
        return nil
    }

    /// `content` as an sf-string; nil when it holds more than printable ASCII.
    package static func write(_ content: String) -> String? {
        guard content.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let escaped = content.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
        return "\"\(escaped.joined())\""
    }

    private static let space = UInt8(ascii: " ")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
