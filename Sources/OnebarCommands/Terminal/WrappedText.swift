/// Text broken between words, for a terminal of eighty columns.
enum WrappedText {
    /// The width that help and explanations keep to.
    static let width = 80

    /// `text` in lines of at most `width` characters, the first after `first`, the others after `rest`.
    ///
    /// A word that is longer than a line stands on one of its own.
    static func lines(
        _ text: String,
        first: String = "",
        rest: String = "",
        width: Int = Self.width
    ) -> [String] {
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + word.count + 1 > width {
                lines.append(line)
                line = rest
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }

    /// Paragraphs with their lines joined and broken anew; indented lines stay as they are.
    static func paragraphs(_ lines: [String]) -> [String] {
        var result: [String] = []
        var open = ""
        func close() {
            if !open.isEmpty { result += Self.lines(open) }
            open = ""
        }
        for line in lines {
            if line.isEmpty || line.hasPrefix(" ") {
                close()
                result.append(line)
            } else {
                open += (open.isEmpty ? "" : " ") + line
            }
        }
        close()
        return result
    }
}
