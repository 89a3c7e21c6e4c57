/// A place in the bytes of a file that knows its line and column.
struct ByteCursor {
    private let bytes: [UInt8]
    private let path: String
    private var index = 0
    private var line = 1
    private var column = 1

    init(bytes: [UInt8], path: String) {
        self.bytes = bytes
        self.path = path
    }

    /// The byte here, nil at the end.
    var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// The byte after this one.
    var next: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

    /// Where this is.
    var location: SourceLocation { SourceLocation(path: path, line: line, column: column) }

    /// Goes one byte on; a CR LF pair, a lone LF and a lone CR each end a line.
    mutating func advance() {
        guard let byte = current else { return }
        index += 1
        if byte == 0x0A || (byte == 0x0D && current != 0x0A) {
            line += 1
            column = 1
        } else if current.map({ $0 & 0xC0 != 0x80 }) ?? true, byte != 0x0D {
            column += 1
        }
    }

    /// Whether this is the end of a line.
    var isAtLineEnd: Bool { current == 0x0A || current == 0x0D }

    /// Whether a byte belongs to an unquoted word.
    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default:
            [
                UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "$"),
            ]
            .contains(byte)
        }
    }

    /// Takes a run of word bytes.
    mutating func takeWord() -> String {
        let start = index
        while let byte = current, Self.isWord(byte) { advance() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Goes to the next comma or closing bracket, past strings.
    mutating func skipToSeparator() {
        var isInString = false
        while let byte = current {
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            if isAtLineEnd { isInString = false }
            if !isInString,
                [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte)
            {
                return
            }
            advance()
        }
    }
}
