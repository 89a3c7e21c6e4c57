/// Why a command could not do its work: what to print, and how to exit.
package struct CommandFailure: Error, Equatable, Sendable {
    /// Lines for stderr, the place first: "profiles/x.jsonc:3:7: error: ...".
    package let lines: [String]
    /// The documented code.
    package let code: ExitCode

    /// Makes a failure of several lines.
    package init(_ lines: [String], code: ExitCode) {
        self.lines = lines
        self.code = code
    }

    /// Makes a failure of one line.
    package init(_ line: String, code: ExitCode) {
        self.init([line], code: code)
    }

    /// Makes a usage error, with the remedy on its own line.
    package static func usage(_ problem: String, remedy: String) -> CommandFailure {
        CommandFailure(["onebar: error: \(problem)", "  \(remedy)"], code: .usage)
    }
}
