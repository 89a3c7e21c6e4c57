extension JSONCParser {
    /// Goes past white space and comments.
    mutating func skipBlank() {
        while let byte = cursor.current {
            switch (byte, cursor.next) {
            case (0x20, _), (0x09, _), (0x0A, _), (0x0D, _):
                cursor.advance()
            case (UInt8(ascii: "/"), UInt8(ascii: "/")):
                while cursor.current != nil, !cursor.isAtLineEnd { cursor.advance() }
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                skipBlockComment()
            default:
                return
            }
        }
    }

    private mutating func skipBlockComment() {
        let start = cursor.location
        cursor.advance()
        cursor.advance()
        while let byte = cursor.current {
            if byte == UInt8(ascii: "*"), cursor.next == UInt8(ascii: "/") {
                cursor.advance()
                cursor.advance()
                return
            }
            cursor.advance()
        }
        fail(at: start, "the comment is never closed", "close it with */")
        hasGivenUp = true
    }

    /// Parses a number, `true`, `false` or `null`.
    mutating func parseWord() -> JSONCValue? {
        let start = cursor.location
        let word = cursor.takeWord()
        switch word {
        case "true": return JSONCValue(.bool(true), at: start)
        case "false": return JSONCValue(.bool(false), at: start)
        case "null": return JSONCValue(.null, at: start)
        case "":
            let name = cursor.current.map(Self.name) ?? "the end"
            fail(at: start, "\(name) stands where a value belongs", "write a JSON value")
            cursor.advance()
            return nil
        default:
            if Self.isNumber(word) { return JSONCValue(.number(word), at: start) }
            let isLiteral = ["true", "false", "null"].contains(word.lowercased())
            let remedy = isLiteral ? "write \(word.lowercased())" : "write \"\(word)\" in quotes"
            fail(at: start, "'\(word)' is not a JSON value", remedy)
            return nil
        }
    }

    /// Whether `word` is a number by RFC 8259, section 6.
    static func isNumber(_ word: String) -> Bool {
        var rest = word[...]
        if rest.first == "-" { rest.removeFirst() }
        let whole = rest.prefix { $0.isASCII && $0.isNumber }
        guard !whole.isEmpty, whole.count == 1 || whole.first != "0" else { return false }
        rest = rest.dropFirst(whole.count)
        if rest.first == "." {
            let fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard !fraction.isEmpty else { return false }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let letter = rest.first else { return true }
        guard letter == "e" || letter == "E" else { return false }
        rest.removeFirst()
        if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
        return !rest.isEmpty && rest.allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Parses a string; the cursor is at its opening quote.
    mutating func parseString() -> String? {
        let start = cursor.location
        let quote = cursor.current
        if quote == UInt8(ascii: "'") {
            fail(at: start, "a string begins with a single quote", "use double quotes")
        }
        cursor.advance()
        var bytes: [UInt8] = []
        while let byte = cursor.current {
            if byte == quote {
                cursor.advance()
                return String(decoding: bytes, as: UTF8.self)
            }
            if cursor.isAtLineEnd { break }
            if byte == UInt8(ascii: "\\") {
                parseEscape(into: &bytes)
            } else {
                if byte < 0x20 {
                    fail(
                        at: cursor.location,
                        "a control character stands in a string",
                        "write \\t or \\u00XX"
                    )
                }
                bytes.append(byte)
                cursor.advance()
            }
        }
        fail(at: start, "the string is not closed on its line", "close it with a double quote")
        return nil
    }

    private mutating func parseEscape(into bytes: inout [UInt8]) {
        let start = cursor.location
        cursor.advance()
        let simple: [UInt8: UInt8] = [
            UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
            UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
            UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
        ]
        guard let letter = cursor.current, !cursor.isAtLineEnd else { return }
        if let byte = simple[letter] {
            cursor.advance()
            bytes.append(byte)
            return
        }
        guard letter == UInt8(ascii: "u"), let scalar = parseUnicodeEscape() else {
            fail(
                at: start,
                "the string has an unknown escape",
                "JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX, surrogates in pairs"
            )
            return
        }
        bytes.append(contentsOf: Array(String(Character(scalar)).utf8))
    }

    private mutating func parseUnicodeEscape() -> Unicode.Scalar? {
        guard let high = parseCodeUnit() else { return nil }
        guard UTF16.isLeadSurrogate(high) else { return Unicode.Scalar(high) }
        guard cursor.current == UInt8(ascii: "\\"), cursor.next == UInt8(ascii: "u") else {
            return nil
        }
        cursor.advance()
        guard let low = parseCodeUnit(), UTF16.isTrailSurrogate(low) else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
    }

    private mutating func parseCodeUnit() -> UInt16? {
        cursor.advance()
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = cursor.current,
                let digit = Character(Unicode.Scalar(byte)).hexDigitValue
            else { return nil }
            value = value << 4 | UInt16(digit)
            cursor.advance()
        }
        return value
    }
}
