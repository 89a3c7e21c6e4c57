import Budgets
import Foundation
import Reporting

/// `onebar diff`: what changed between two runs, seed by seed.
package enum DiffCommand: Subcommand {
    package static let name = "diff"
    package static let summary = "compares two runs seed by seed, the clearest change first"
    package static let operands = "RUN RUN"
    package static let discussion = [
        "RUN is a folder that 'onebar run' has written, or the name of one under reports/.",
        "Each change of a mean is given with its 99 % interval over the seeds that both runs have.",
        "'more' and 'less' are beyond chance, each by itself (1 in 200 either way); 'open' may hide",
        "a change of 3 %.",
        "Exits 0 whatever it finds; 5 if the runs have no seed in common.",
    ]
    package static let options = [
        OptionSpec("--all", help: "shows metrics that are as they were, too"),
        OptionSpec("--json", help: "prints one line of JSON"),
    ]

    /// Reads both runs and prints what differs.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard arguments.operands.count == 2 else {
            throw CommandFailure.usage(
                "'onebar diff' compares two runs, and \(arguments.operands.count) are named",
                remedy: "write onebar diff reports/before/commute reports/after/commute"
            )
        }
        let runs = try arguments.operands.map { try StoredRunLoading.load($0) }
        let diff = RunDiff(before: runs[0], after: runs[1])
        guard !diff.seeds.isEmpty else {
            throw CommandFailure(
                "onebar: error: the runs have no seed in common (run both with the same --seeds)",
                code: .nothingTested
            )
        }
        if arguments.has("--json") {
            context.console.print(diff.json.text)
        } else {
            let text = diff.text(
                isColored: context.console.usesColor,
                showsAll: arguments.has("--all")
            )
            context.console.print(text)
        }
        return .pass
    }
}

/// Finds stored runs for commands.
enum StoredRunLoading {
    /// The run of a folder, of a file, or of a name under reports/.
    static func load(_ nameOrPath: String) throws(CommandFailure) -> ProfileRun {
        let named = "reports/\(nameOrPath)"
        let isThere = FileManager.default.fileExists(atPath: nameOrPath)
        let hasNamed = FileManager.default.fileExists(atPath: "\(named)/\(StoredRun.fileName)")
        do {
            return try StoredRun.read(!isThere && hasNamed ? named : nameOrPath)
        } catch {
            throw CommandFailure(
                "onebar: error: \(error)",
                code: error.exitCode == 66 ? .missingInput : .badInput
            )
        }
    }
}
