/// Finds one top-level member of a JSON object, and refuses text that is not JSON (RFC 8259).
///
/// Small on purpose: it keeps nothing but the value that is asked for. Cost: one pass over the bytes.
struct JSONMemberScanner {
    private let bytes: [UInt8]
    private var index = 0
    /// The member whose elements are kept, if it is an array.
    private let array: String?
    private var elements: [[UInt8]] = []

    /// The value of the member `name`: a string's content, a number's digits, `true` or `false`.
    ///
    /// - Returns: nil when there is no such member, or it is null, an object or an array.
    /// - Throws: when `body` is not one JSON object, or has the member twice.
    static func member(_ name: String, of body: [UInt8]) throws(JSONScanError) -> String? {
        var scanner = JSONMemberScanner(bytes: body)
        return try scanner.scan(for: name)
    }

    /// The elements of the array that is the member `name`, each as it stands in `body`.
    ///
    /// - Returns: none when there is no such member, or it is no array.
    /// - Throws: when `body` is not one JSON object, or has the member twice.
    static func elements(of name: String, in body: [UInt8]) throws(JSONScanError) -> [[UInt8]] {
        var scanner = JSONMemberScanner(bytes: body, array: name)
        _ = try scanner.scan(for: name)
        return scanner.elements
    }

    private init(bytes: [UInt8], array: String? = nil) {
        self.bytes = bytes
        self.array = array
    }

    private mutating func scan(for name: String) throws(JSONScanError) -> String? {
        skipSpace()
        guard peek() == UInt8(ascii: "{") else { throw failure("is not a JSON object") }
        index += 1
        var found: String?
        var seen = false
        skipSpace()
        if peek() == UInt8(ascii: "}") {
            index += 1
        } else {
            repeat {
                skipSpace()
                let key = try string()
                skipSpace()
                try expect(UInt8(ascii: ":"))
                let value = key == array ? try arrayValue() : try value(depth: 1)
                if key == name {
                    guard !seen else { throw failure("has the member twice") }
                    seen = true
                    found = value
                }
                skipSpace()
            } while accept(UInt8(ascii: ","))
            try expect(UInt8(ascii: "}"))
        }
        skipSpace()
        guard index == bytes.count else { throw failure("goes on after its end") }
        return found
    }

    /// Passes one value; returns its text when it is a scalar other than null.
    private mutating func value(depth: Int) throws(JSONScanError) -> String? {
        guard depth <= 64 else { throw failure("is nested deeper than 64") }
        skipSpace()
        switch peek() {
        case UInt8(ascii: "\""):
            return try string()
        case UInt8(ascii: "{"):
            index += 1
            try members(until: UInt8(ascii: "}"), named: true, depth: depth)
            return nil
        case UInt8(ascii: "["):
            index += 1
            try members(until: UInt8(ascii: "]"), named: false, depth: depth)
            return nil
        case UInt8(ascii: "t"):
            return try word("true")
        case UInt8(ascii: "f"):
            return try word("false")
        case UInt8(ascii: "n"):
            _ = try word("null")
            return nil
        default:
            return try number()
        }
    }

    /// Passes a value, and keeps its elements if it is an array.
    private mutating func arrayValue() throws(JSONScanError) -> String? {
        skipSpace()
        guard accept(UInt8(ascii: "[")) else { return try value(depth: 1) }
        skipSpace()
        if accept(UInt8(ascii: "]")) { return nil }
        repeat {
            skipSpace()
            let start = index
            _ = try value(depth: 2)
            elements.append(Array(bytes[start..<index]))
            skipSpace()
        } while accept(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        return nil
    }

    private mutating func members(until end: UInt8, named: Bool, depth: Int) throws(JSONScanError) {
        skipSpace()
        if accept(end) { return }
        repeat {
            skipSpace()
            if named {
                _ = try string()
                skipSpace()
                try expect(UInt8(ascii: ":"))
            }
            _ = try value(depth: depth + 1)
            skipSpace()
        } while accept(UInt8(ascii: ","))
        try expect(end)
    }

    private mutating func string() throws(JSONScanError) -> String {
        try expect(UInt8(ascii: "\""))
        // What has no escape, which is nearly all, is taken as it stands.
        let start = index
        while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
            bytes[index] != UInt8(ascii: "\\")
        {
            index += 1
        }
        var content: [UInt8] = []
        if peek() == UInt8(ascii: "\"") {
            index += 1
            guard let text = String(validating: bytes[start..<index - 1], as: UTF8.self) else {
                throw failure("is not UTF-8")
            }
            return text
        }
        content.append(contentsOf: bytes[start..<index])
        while let byte = peek() {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw failure("is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                try escape(into: &content)
            case 0..<0x20:
                throw failure("has a control character in a string")
            default:
                content.append(byte)
            }
        }
        throw failure("ends within a string")
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONScanError) {
        guard let byte = peek() else { throw failure("ends within a string") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                try expect(UInt8(ascii: "\\"))
                try expect(UInt8(ascii: "u"))
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw failure("has half a surrogate") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw failure("has half a surrogate") }
            content.append(contentsOf: Array(String(Character(scalar)).utf8))
        default:
            throw failure("has an unknown escape")
        }
    }

    private mutating func hexadecimal() throws(JSONScanError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue
            else {
                throw failure("has an escape without four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }

    private mutating func number() throws(JSONScanError) -> String {
        let start = index
        _ = accept(UInt8(ascii: "-"))
        if !accept(UInt8(ascii: "0")) { try digits() }
        if accept(UInt8(ascii: ".")) { try digits() }
        if accept(UInt8(ascii: "e")) || accept(UInt8(ascii: "E")) {
            if !accept(UInt8(ascii: "+")) { _ = accept(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws(JSONScanError) {
        let start = index
        while let byte = peek(), (48...57).contains(byte) { index += 1 }
        guard index > start else { throw failure("has something that is no JSON value") }
    }

    private mutating func word(_ text: String) throws(JSONScanError) -> String {
        for byte in text.utf8 { try expect(byte) }
        return text
    }

    private func peek() -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONScanError) {
        guard accept(byte) else {
            throw failure("lacks '\(Character(Unicode.Scalar(byte)))'")
        }
    }

    private mutating func skipSpace() {
        while let byte = peek() {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private func failure(_ problem: String) -> JSONScanError {
        JSONScanError(offset: index, problem: problem)
    }
}

/// Bytes that are not the JSON object that was wanted.
struct JSONScanError: Error, Equatable, Sendable {
    /// Where in the body, in bytes.
    let offset: Int
    /// What is wrong.
    let problem: String
}
