/// A recursive descent over the bytes of one file.
///
/// After an error it goes on with the next member or element, so that independent mistakes are all
/// reported; what merely follows from a mistake is not.
struct JSONCParser {
    /// Deeper nesting is refused: no profile needs it, and the stack is finite.
    static let deepest = 64
    /// After so many errors the rest of the file is not looked at.
    static let mostErrors = 100

    var cursor: ByteCursor
    let diagnostics: ProfileDiagnostics
    /// Set by an error until something parses again: silences what only follows from it.
    private var isRecovering = false
    /// Set when going on would only produce noise.
    var hasGivenUp = false

    init(bytes: [UInt8], path: String, diagnostics: ProfileDiagnostics) {
        cursor = ByteCursor(bytes: bytes, path: path)
        self.diagnostics = diagnostics
    }

    /// Parses the whole file; nil only if an error was reported.
    mutating func parseFile() -> JSONCValue? {
        skipBlank()
        guard cursor.current != nil else {
            if !hasGivenUp {
                fail(at: cursor.location, "the file is empty", "write a profile: { \"onebar\": 1 }")
            }
            return nil
        }
        let value = parseValue(depth: 0)
        skipBlank()
        if let byte = cursor.current, !hasGivenUp, value != nil {
            fail(
                at: cursor.location,
                "\(Self.name(byte)) follows the end of the file's only value",
                "remove it; one file holds one value"
            )
        }
        return value
    }

    mutating func fail(at location: SourceLocation, _ what: String, _ remedy: String) {
        guard !hasGivenUp else { return }
        isRecovering = true
        diagnostics.error(at: location, what, remedy: remedy)
        if diagnostics.problems.count >= Self.mostErrors {
            diagnostics.error(
                at: location,
                "\(Self.mostErrors) errors are enough",
                remedy: "correct these first; the rest of the file was not read"
            )
            hasGivenUp = true
        }
    }

    // MARK: values

    private mutating func parseValue(depth: Int) -> JSONCValue? {
        let start = cursor.location
        guard let byte = cursor.current else { return nil }
        guard depth <= Self.deepest else {
            fail(
                at: start,
                "nested more than \(Self.deepest) deep",
                "profiles are flat; check the brackets"
            )
            hasGivenUp = true
            return nil
        }
        switch byte {
        case UInt8(ascii: "{"): return parseObject(depth: depth)
        case UInt8(ascii: "["): return parseArray(depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return parseString().map { JSONCValue(.string($0), at: start) }
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"):
            fail(at: start, "a value is missing before \(Self.name(byte))", "write one there")
            return nil
        default: return parseWord()
        }
    }

    private mutating func parseObject(depth: Int) -> JSONCValue? {
        let start = cursor.location
        cursor.advance()
        var members: [JSONCMember] = []
        var first: [String: SourceLocation] = [:]
        while !hasGivenUp {
            skipBlank()
            guard let byte = cursor.current else {
                failTruncated("object", from: start, close: "}")
                return nil
            }
            if byte == UInt8(ascii: "}") {
                cursor.advance()
                return JSONCValue(.object(members), at: start)
            }
            if byte == UInt8(ascii: "]") {
                fail(at: cursor.location, "']' closes an object that '{' opened", "write '}'")
                cursor.advance()
                return JSONCValue(.object(members), at: start)
            }
            if let member = parseMember(depth: depth) {
                if let earlier = first[member.key] {
                    diagnostics.error(
                        at: member.keyLocation,
                        "the key \"\(member.key)\" is already there in line \(earlier.line)",
                        remedy: "keep one of them"
                    )
                } else {
                    first[member.key] = member.keyLocation
                    members.append(member)
                }
            }
            expectSeparator(closing: UInt8(ascii: "}"))
        }
        return nil
    }

    private mutating func parseArray(depth: Int) -> JSONCValue? {
        let start = cursor.location
        cursor.advance()
        var elements: [JSONCValue] = []
        while !hasGivenUp {
            skipBlank()
            guard let byte = cursor.current else {
                failTruncated("array", from: start, close: "]")
                return nil
            }
            if byte == UInt8(ascii: "]") {
                cursor.advance()
                return JSONCValue(.array(elements), at: start)
            }
            if byte == UInt8(ascii: "}") {
                fail(at: cursor.location, "'}' closes an array that '[' opened", "write ']'")
                cursor.advance()
                return JSONCValue(.array(elements), at: start)
            }
            if let element = parseValue(depth: depth + 1) {
                isRecovering = false
                elements.append(element)
            }
            expectSeparator(closing: UInt8(ascii: "]"))
        }
        return nil
    }

    private mutating func parseMember(depth: Int) -> JSONCMember? {
        let location = cursor.location
        guard let byte = cursor.current else { return nil }
        let key: String
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            guard let text = parseString() else { return nil }
            key = text
        } else if ByteCursor.isWord(byte) {
            key = cursor.takeWord()
            fail(at: location, "the key \(key) is not in quotes", "write \"\(key)\"")
        } else {
            fail(
                at: location,
                "\(Self.name(byte)) stands where a key belongs",
                "write \"key\": value"
            )
            if byte != UInt8(ascii: ",") { cursor.advance() }
            return nil
        }
        skipBlank()
        guard cursor.current == UInt8(ascii: ":") else {
            if cursor.current != nil {
                fail(
                    at: cursor.location,
                    "the key \"\(key)\" has no ':' after it",
                    "write \"\(key)\": value"
                )
            }
            return nil
        }
        cursor.advance()
        skipBlank()
        guard let value = parseValue(depth: depth + 1) else { return nil }
        isRecovering = false
        return JSONCMember(key: key, keyLocation: location, value: value)
    }

    /// Takes the comma after a member or element; a missing one is reported and assumed.
    private mutating func expectSeparator(closing: UInt8) {
        skipBlank()
        guard let byte = cursor.current, !hasGivenUp else { return }
        if byte == UInt8(ascii: ",") {
            cursor.advance()
            skipBlank()
            if cursor.current == UInt8(ascii: ","), !isRecovering {
                fail(at: cursor.location, "nothing stands between two commas", "remove one of them")
                cursor.advance()
            }
            return
        }
        if byte == closing || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return }
        if isRecovering {
            guard byte != UInt8(ascii: "\"") else { return }
            cursor.skipToSeparator()
            if cursor.current == UInt8(ascii: ",") { cursor.advance() }
        } else {
            fail(at: cursor.location, "a comma is missing before \(Self.name(byte))", "write one")
        }
    }

    private mutating func failTruncated(_ what: String, from start: SourceLocation, close: String) {
        guard !hasGivenUp else { return }
        fail(
            at: cursor.location,
            "the file ends inside the \(what) that begins in line \(start.line), column \(start.column)",
            "close it with '\(close)'; the file may be truncated"
        )
        hasGivenUp = true
    }

    static func name(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "'\(Character(Unicode.Scalar(byte)))'" : "another character"
    }
}
