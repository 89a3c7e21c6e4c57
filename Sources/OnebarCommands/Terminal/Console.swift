import Foundation

/// Where a command's output goes: data to stdout, everything else to stderr.
package final class Console {
    /// Whether stderr is a terminal, so that a bar may be drawn over itself.
    package let drawsProgress: Bool
    /// Whether stdout takes colour: a terminal, and NO_COLOR not set (no-color.org).
    package let usesColor: Bool
    /// How wide stdout is if it is a terminal: tables are broken there, and nowhere else.
    package let columns: Int?
    private let writeOut: (String) -> Void
    private let writeError: (String) -> Void

    /// Makes a console on the given writers.
    package init(
        drawsProgress: Bool,
        usesColor: Bool,
        columns: Int? = nil,
        out: @escaping (String) -> Void,
        error: @escaping (String) -> Void
    ) {
        self.drawsProgress = drawsProgress
        self.usesColor = usesColor
        self.columns = columns
        writeOut = out
        writeError = error
    }

    /// The process's own stdout and stderr.
    package static func standard(environment: [String: String]) -> Console {
        let plain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let dumb = environment["TERM"] == "dumb"
        let inCI = environment["CI"].map { !$0.isEmpty } ?? false
        return Console(
            drawsProgress: isatty(2) == 1 && !inCI && !dumb,
            usesColor: isatty(1) == 1 && !plain && !dumb,
            columns: terminalColumns,
            // A reader that has gone away (`onebar list | head`) is no fault of the tool.
            out: { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
            error: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
        )
    }

    private static var terminalColumns: Int? {
        var size = winsize()
        guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Prints a line of data that has a head and a text; on a terminal the text goes on below itself.
    package func print(head: String, _ text: String) {
        let indent = String(repeating: " ", count: head.count)
        let room = max(head.count + 24, columns ?? .max)
        for line in WrappedText.lines(text, first: head, rest: indent, width: room) { print(line) }
    }

    /// Prints a line of data; one too long for the terminal is broken between words, and goes on
    /// below its text: after its indent, or after a label that two blanks set off.
    package func print(folding line: String) {
        guard let columns, line.count > columns else { return print(line) }
        let indent = line.prefix { $0 == " " }
        let text = line.dropFirst(indent.count)
        var head = String(indent)
        if let gap = text.firstRange(of: "  ") {
            head += text[..<gap.upperBound]
            head += text[gap.upperBound...].prefix { $0 == " " }
        }
        print(head: head, String(line.dropFirst(head.count)))
    }

    /// Prints a line of data.
    package func print(_ line: String) {
        writeOut(line + "\n")
    }

    /// Prints a line of anything else: progress, warnings, errors.
    package func note(_ line: String) {
        writeError(line + "\n")
    }

    /// Writes to stderr without ending the line.
    package func draw(_ text: String) {
        writeError(text)
    }
}
