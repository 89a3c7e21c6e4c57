import Budgets
import Foundation
import Measurements
import Reporting

/// `onebar report`: a stored run as files again, without simulating.
package enum ReportCommand: Subcommand {
    package static let name = "report"
    package static let summary = "writes the report of a stored run again, without simulating"
    package static let operands = "RUN"
    package static let discussion = [
        "RUN is a folder that 'onebar run' has written, or the name of one under reports/.",
        "With --judge the run is judged again by the budgets that a profile has now; faults that",
        "never fired and broken guarantees count as before.",
        "Exits as the run that it shows would.",
    ]
    package static let options = [
        OptionSpec("--judge", value: "NAME|FILE", help: "the budgets of this profile instead"),
        OptionSpec("--out", value: "DIR", help: "another folder for the files"),
        OptionSpec("--json", help: "prints one line of JSON instead of text"),
    ]

    /// Reads, judges again if asked, writes and prints.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard let operand = arguments.operands.first, arguments.operands.count == 1 else {
            throw CommandFailure.usage(
                "'onebar report' shows one run",
                remedy: "name a folder: onebar report reports/commute"
            )
        }
        var run = try StoredRunLoading.load(operand)
        if let profile = arguments.value("--judge") {
            run = ProfileRun(
                profile: run.profile,
                summary: run.summary,
                mode: run.mode,
                radios: run.radios,
                seeds: run.seeds,
                rules: try ScenarioLoading.load(profile).rules,
                baseline: run.baseline,
                replayTemplate: run.replayTemplate
            )
        }
        let isThere = FileManager.default.fileExists(atPath: operand)
        let own = isThere ? operand : "reports/\(operand)"
        let isFile = own.hasSuffix(".json")
        let folder =
            arguments.value("--out") ?? (isFile ? (own as NSString).deletingLastPathComponent : own)
        try OutputFolder.write(run, to: folder.isEmpty ? "." : folder)
        if arguments.has("--json") {
            context.console.print(RunJSON.line(of: run))
        } else {
            context.console.print(RunSummaryText(run, isColored: context.console.usesColor).text)
        }
        context.console.note("report: \(folder)/report.html")
        return ExitCode(run.verdict.outcome)
    }
}
