import Foundation
import Profiles

/// The tool as a whole: finds the subcommand, prints help and version, turns failures into exits.
package enum FrontDoor {
    /// The version that `onebar --version` prints and reports carry.
    package static let version = "0.1.0"

    /// Every subcommand, in the order help shows them.
    package static let subcommands: [any Subcommand.Type] = [
        DemoCommand.self, RunCommand.self, MergeCommand.self, HuntCommand.self,
        ReplayCommand.self, GateCommand.self, DiffCommand.self,
        ReportCommand.self, HistoryCommand.self, AnalyzeCommand.self, CheckCommand.self,
        ListCommand.self,
        ExplainCommand.self,
        ImportCommand.self, ExportCommand.self, SchemaCommand.self, DoctorCommand.self,
        InitCommand.self, CompletionsCommand.self, ManCommand.self, WorkerCommand.self,
        HuntWorkerCommand.self,
    ]

    /// Subcommands that a person would call.
    static var shown: [any Subcommand.Type] {
        subcommands.filter { $0 != WorkerCommand.self && $0 != HuntWorkerCommand.self }
    }

    /// Runs the tool with the words after its name, and returns how it ends.
    package static func run(_ words: [String], _ context: CommandContext) -> ExitCode {
        do {
            return try dispatch(words, context)
        } catch let failure as CommandFailure {
            for line in failure.lines { context.console.note(line) }
            return failure.code
        } catch {
            context.console.note("onebar: internal error: \(error)")
            context.console.note("  this is a fault of Onebar; please report it with this line")
            return .internalError
        }
    }

    private static func dispatch(_ words: [String], _ context: CommandContext) throws -> ExitCode {
        guard let first = words.first else {
            context.console.print(welcome)
            return .pass
        }
        switch first {
        case "--help", "-h", "help":
            guard words.count > 1 else {
                context.console.print(overview)
                return .pass
            }
            guard let command = shown.first(where: { $0.name == words[1] }) else {
                throw unknown(words[1])
            }
            context.console.print(command.help)
            return .pass
        case "--version":
            context.console.print("onebar \(version)")
            return .pass
        default:
            break
        }
        guard let command = subcommands.first(where: { $0.name == first }) else {
            throw unknown(first)
        }
        let rest = Array(words.dropFirst())
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            context.console.print(command.help)
            return .pass
        }
        let arguments = try ParsedArguments(rest, options: command.options, command: first)
        if command.operands.isEmpty, let extra = arguments.operands.first {
            throw CommandFailure.usage(
                "'onebar \(first)' takes no '\(extra)'",
                remedy: "write onebar \(first)"
            )
        }
        return try command.run(arguments, context)
    }

    private static func unknown(_ word: String) -> CommandFailure {
        let isOption = word.hasPrefix("-")
        let names = isOption ? ["--help", "--version"] : shown.map { $0.name }
        return .usage(
            isOption ? "there is no option '\(word)'" : "there is no subcommand '\(word)'",
            remedy: NearestName.of(word, among: names).map { "did you mean 'onebar \($0)'?" }
                ?? "see all: onebar --help"
        )
    }

    /// What `onebar` alone prints: twelve lines, one command for each way in.
    static let welcome = """
        Onebar runs real client code in a simulated phone: what it costs, what breaks.

          onebar demo                       a bug that every team has shipped, caught
          onebar run commute                a built-in workload on built-in modules
          onebar run my-profile.jsonc       a profile of your own; see also 'check'
          onebar init my-app                a profile, a test of your own module, CI
          onebar gate commute               against its committed baseline, for CI
          onebar hunt messages-and-upload   the few faults that break a promise, found
          onebar analyze capture.pcap       what a real capture costs on a radio
          onebar list                       profiles and presets there are
          onebar explain radio.energy_j     what a metric means
          onebar --help                     everything else
        """

    static var overview: String {
        var lines = ["usage: onebar SUBCOMMAND [OPTIONS]", "", "subcommands:"]
        let width = shown.map { $0.name.count }.max() ?? 0
        for command in shown {
            let gap = String(repeating: " ", count: width + 2 - command.name.count)
            lines.append("  \(command.name)\(gap)\(command.summary)")
        }
        lines += [
            "", "  onebar SUBCOMMAND --help   tells the options",
            "  onebar --version           prints the version",
            "", "exit codes:",
            "   0  pass                         64  bad usage",
            "   1  a budget is broken           65  bad profile or input",
            "   3  a guarantee is broken        66  input is missing",
            "   4  not reproducible             70  a fault of the lab itself",
            "   5  nothing was tested           73  output cannot be written",
            "                                  130  interrupted",
            "  When several hold: 70, 4, 3, 5, 1.",
            "", "environment:",
            "  ONEBAR_PORTABLE=1   injected clocks only, no captured executors",
            "  NO_COLOR=1          no colour",
        ]
        return lines.joined(separator: "\n")
    }
}
