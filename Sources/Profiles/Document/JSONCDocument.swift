/// A parsed JSONC file: JSON (RFC 8259) with `//` and `/* */` comments and trailing commas.
///
/// The reader is ours because Foundation's gives no position, drops duplicate keys in silence and
/// loses the order of keys. Cost is linear in the size of the file.
package struct JSONCDocument: Sendable {
    /// The file, as error messages name it.
    package let path: String
    /// The text without a byte order mark.
    package let text: String
    /// The outermost value.
    package let root: JSONCValue
    /// The comment at the top of the file, line by line without its slashes.
    package let leadingComment: [String]

    /// Parses text; every error of the file is thrown together.
    package static func parse(text: String, path: String) throws(ProfileError) -> JSONCDocument {
        try parse(bytes: Array(text.utf8), path: path)
    }

    /// Parses the bytes of a file, which must be UTF-8; a UTF-8 byte order mark is skipped.
    package static func parse(bytes: [UInt8], path: String) throws(ProfileError) -> JSONCDocument {
        let diagnostics = ProfileDiagnostics()
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let text = String(validating: body, as: UTF8.self) else {
            throw ProfileError(problems: [encodingProblem(body, path: path)])
        }
        var parser = JSONCParser(bytes: body, path: path, diagnostics: diagnostics)
        let root = parser.parseFile()
        try diagnostics.throwIfErrors()
        guard let root else { preconditionFailure("no value and no error for \(path)") }
        return JSONCDocument(
            path: path,
            text: text,
            root: root,
            leadingComment: leadingComment(of: text)
        )
    }

    private static func encodingProblem(_ bytes: [UInt8], path: String) -> ProfileProblem {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return ProfileProblem(
                at: SourceLocation(path: path, line: 1, column: 1),
                "the file is UTF-16",
                remedy: "save it as UTF-8"
            )
        }
        var line = 1
        for lineBytes in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if String(validating: lineBytes, as: UTF8.self) == nil {
                var good = lineBytes[lineBytes.startIndex..<lineBytes.startIndex]
                for end in lineBytes.indices {
                    let prefix = lineBytes[lineBytes.startIndex..<end]
                    if String(validating: prefix, as: UTF8.self) != nil { good = prefix }
                }
                let scalars = good.count { $0 & 0xC0 != 0x80 }
                let byte = String(lineBytes[good.endIndex], radix: 16, uppercase: true)
                return ProfileProblem(
                    at: SourceLocation(path: path, line: line, column: scalars + 1),
                    "the byte 0x\(byte) is not UTF-8",
                    remedy: "save the file as UTF-8"
                )
            }
            line += 1
        }
        return ProfileProblem(
            at: SourceLocation(path: path),
            "the file is not UTF-8",
            remedy: "save it as UTF-8"
        )
    }

    /// What the file is about in a line: the first of its leading comment, and where that breaks off
    /// within a sentence, what is left of the sentence.
    package var headline: String { Self.headline(of: leadingComment) }

    /// The headline of a comment's lines.
    package static func headline(of lines: [String]) -> String {
        guard var text = lines.first else { return "" }
        for line in lines.dropFirst() {
            guard let end = text.last, !".!?:".contains(end), !line.isEmpty,
                !line.hasPrefix("onebar ")
            else { break }
            // The rest of the sentence, and no sentence more.
            if let stop = line.firstRange(of: ". ") {
                return text + " " + line[..<stop.lowerBound] + "."
            }
            text += " " + line
        }
        return text
    }

    private static func leadingComment(of text: String) -> [String] {
        var lines: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard line.hasPrefix("//") else { break }
            lines.append(String(line.dropFirst(2).drop { $0 == " " }))
        }
        return lines
    }
}
