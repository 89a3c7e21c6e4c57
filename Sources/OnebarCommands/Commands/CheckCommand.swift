import Profiles

/// `onebar check`: what is wrong with profiles and presets, without running anything.
package enum CheckCommand: Subcommand {
    package static let name = "check"
    package static let summary = "tells what is wrong with profiles, with line and column"
    package static let operands = "NAME|FILE..."
    package static let discussion = [
        "Reads each profile with every file that it names, or a preset (a file in a folder named",
        "budgets, clients, devices, networks, radios or servers), and prints all problems of all",
        "files:",
        "  path:line:column: error: what (remedy)",
        "Exits 65 at an error, 66 at a file that is not there.",
    ]
    package static let options = [
        OptionSpec("--strict", help: "takes warnings for errors"),
        OptionSpec("--quiet", help: "no count of files, errors and warnings"),
    ]

    /// Prints problems to stdout and a count to stderr.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard !arguments.operands.isEmpty else {
            throw CommandFailure.usage(
                "'onebar check' needs a profile",
                remedy: "write a name or a file: onebar check profiles/commute.jsonc"
            )
        }
        let library = ProfileLibrary.standard(
            environment: context.environment,
            workingDirectory: context.workingDirectory
        )
        let results = arguments.operands.map { FileCheck.check($0, in: library) }
        for problem in results.flatMap(\.problems) { context.console.print(problem.description) }
        let errors = count(.error, in: results)
        let warnings = count(.warning, in: results)
        if !arguments.has("--quiet") {
            context.console.note(
                "\(counted(results.count, "file")): \(counted(errors, "error")), "
                    + counted(warnings, "warning")
            )
        }
        if results.contains(where: { !$0.isMissing && !$0.isGood }) { return .badInput }
        if results.contains(where: \.isMissing) { return .missingInput }
        return warnings > 0 && arguments.has("--strict") ? .badInput : .pass
    }

    private static func count(
        _ severity: ProfileProblem.Severity,
        in results: [FileCheck.Result]
    ) -> Int {
        results.flatMap(\.problems).count { $0.severity == severity }
    }

    private static func counted(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
