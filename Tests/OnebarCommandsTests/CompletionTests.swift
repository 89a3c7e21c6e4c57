import Foundation
import Testing

/// Each shell that is installed takes its script and completes with it.
@Suite struct CompletionTests {
    /// What is on the line, and words that have to be among what the shell offers.
    struct Line: Sendable, CustomTestStringConvertible {
        let text: String
        let offers: [String]
        let never: [String]
        var testDescription: String { text }

        init(_ text: String, _ offers: [String], never: [String] = []) {
            self.text = text
            self.offers = offers
            self.never = never
        }
    }

    static let lines = [
        Line("onebar ga", ["gate"], never: ["run", "worker"]),
        Line("onebar comp", ["completions"]),
        Line("onebar gate --ex", ["--explore"]),
        Line("onebar run commute-n", ["commute-no-faults"], never: ["elevator"]),
        Line("onebar run --tag textb", ["textbook"]),
        Line("onebar explain radio.tail_", ["radio.tail_s", "radio.tail_energy_j"]),
        Line("onebar analyze --radio lte-2012", ["lte-2012-aro"]),
        Line("onebar analyze --mode aro", ["aro-4.1.1"]),
        Line("onebar init --ci gitl", ["gitlab"]),
        Line("onebar schema net", ["network"], never: ["server"]),
        Line("onebar check min", ["mine.jsonc"]),
        Line("onebar run --out fol", ["folder"], never: ["folder.txt"]),
    ]

    static func path(of shell: String) -> String? {
        ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(shell)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs `script` in a shell that finds the tool, in a folder with two files and a folder.
    private func answer(_ shell: String, _ script: String) throws -> String {
        var answer = ""
        try ToolTests.withFolder { folder in
            for name in ["mine.jsonc", "folder.txt"] {
                try Data().write(to: folder.appendingPathComponent(name))
            }
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("folder"),
                withIntermediateDirectories: true
            )
            let made = try ToolTests.onebar(["completions", shell], in: folder)
            try Data(made.out.utf8).write(to: folder.appendingPathComponent("_onebar"))
            try Data(script.utf8).write(to: folder.appendingPathComponent("try"))
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: try #require(Self.path(of: shell)))
            process.arguments =
                shell == "bash"
                ? ["--norc", "try"] : shell == "zsh" ? ["-f", "try"] : ["--no-config", "try"]
            process.currentDirectoryURL = folder
            var environment = ProcessInfo.processInfo.environment
            let tools = ToolTests.tool.deletingLastPathComponent().path
            environment["PATH"] = "\(tools):\(environment["PATH"] ?? "/usr/bin:/bin")"
            environment["HOME"] = folder.path
            process.environment = environment
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            answer = String(decoding: data, as: UTF8.self)
        }
        return answer
    }

    private func expect(_ line: Line, in answer: String) {
        let words = Set(
            answer.split { $0.isWhitespace }.map {
                String($0.hasSuffix("/") ? $0.dropLast() : $0)
            }
        )
        for word in line.offers { #expect(words.contains(word), "\(answer)") }
        for word in line.never { #expect(!words.contains(word), "\(answer)") }
    }

    @Test(
        .enabled(if: path(of: "bash") != nil, "bash is not installed"),
        arguments: CompletionTests.lines
    )
    func `bash completes`(line: Line) throws {
        let script = """
            source ./_onebar
            COMP_WORDS=(\(line.text)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _onebar; printf '%s\\n' "${COMPREPLY[@]}"
            """
        expect(line, in: try answer("bash", script))
    }

    @Test(
        .enabled(if: path(of: "fish") != nil, "fish is not installed"),
        arguments: CompletionTests.lines
    )
    func `fish completes`(line: Line) throws {
        // What comes after a tab is the description.
        let script = """
            source ./_onebar
            complete -C '\(line.text)' | string replace -r '\\t.*' ''
            """
        expect(line, in: try answer("fish", script))
    }

    @Test(
        .enabled(if: path(of: "zsh") != nil, "zsh is not installed"),
        arguments: CompletionTests.lines
    )
    func `zsh completes`(line: Line) throws {
        // An interactive shell on a terminal of its own, which writes down what it would offer.
        let script = #"""
            zmodload zsh/zpty
            zpty inner zsh -f -i
            say() { zpty -w inner "$1" }
            wait-for() { for i in {1..300}; do [[ -e $1 ]] && break; sleep 0.1; done }
            say 'PROMPT=; autoload -Uz compinit; fpath=($PWD $fpath); compinit -u -D'
            say 'compadd() { local -a found; builtin compadd -O found "$@"
                print -rl -- "${found[@]}" >> offered; builtin compadd "$@" }'
            say 'answer() { _main_complete; : > answered }'
            say 'zle -C shown complete-word answer; bindkey "^X" shown; : > ready'
            wait-for ready
            zpty -n -w inner '\#(line.text)'$'\x18'
            wait-for answered
            cat offered
            zpty -d inner
            """#
        expect(line, in: try answer("zsh", script))
    }
}
