/// `onebar man`: the manual page, from the same declarations as help.
package enum ManCommand: Subcommand {
    package static let name = "man"
    package static let summary = "prints the manual page, for man(1)"
    package static let operands = ""
    package static let discussion = [
        "  onebar man > /usr/local/share/man/man1/onebar.1",
        "  onebar man | man -l -            to read it at once",
    ]
    package static let options: [OptionSpec] = []

    /// Prints the page.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        context.console.print(page)
        return .pass
    }

    /// The day on which the page's words were last gone over.
    private static let date = "2026-11-30"

    /// The page in the macros of man(7).
    static var page: String {
        var lines = [
            ".TH ONEBAR 1 \"\(date)\" \"onebar \(FrontDoor.version)\"", ".SH NAME",
            "onebar \\- what a mobile client does at one bar of signal", ".SH SYNOPSIS",
            ".B onebar", ".I SUBCOMMAND", "[\\fIOPTIONS\\fR]", ".SH DESCRIPTION",
            "Runs real client code inside a deterministic simulation of a phone,",
            "and tells what it costs and breaks.", ".SH SUBCOMMANDS",
        ]
        for command in FrontDoor.shown {
            lines.append(".SS \"onebar \(escaped("\(command.name) \(command.operands)".trimmed))\"")
            lines.append(text(command.summary + "."))
            if !command.discussion.isEmpty {
                lines += [".PP", ".nf"] + command.discussion.map(text) + [".fi"]
            }
            for option in command.options {
                let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
                lines += [".TP", "\\fB\(escaped(option.name))\\fR\(value)", text(option.help)]
            }
        }
        lines += [".SH \"EXIT STATUS AND ENVIRONMENT\"", ".nf"]
        let overview = FrontDoor.overview.split(separator: "\n", omittingEmptySubsequences: false)
        lines += overview.drop { !$0.hasPrefix("exit codes") }.map { text(String($0)) }
        return (lines + [".fi"]).joined(separator: "\n")
    }

    /// A line of text: one that begins like a macro is not taken for one.
    private static func text(_ line: String) -> String {
        let escaped = escaped(line)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }
}

extension String {
    /// Without spaces at the end.
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
