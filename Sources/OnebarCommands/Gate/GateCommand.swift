import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import Reporting
import SimulationKernel

/// `onebar gate`: a run against a committed baseline, for CI.
package enum GateCommand: Subcommand {
    package static let name = "gate"
    package static let summary = "compares a profile with its committed baseline, for CI"
    package static let operands = "[NAME|FILE...]"
    package static let discussion = [
        "Runs each profile and compares every metric that it budgets with the baseline in",
        "reports/baselines/NAME.json, seed by seed under the same weather. A change of the mean",
        "counts as worse if it is at least 1 % (or what 'baseline + N%' allows) and chance would",
        "give it in fewer than 1 of 100 gates, all metrics taken together. With --seeds auto, the",
        "default, seeds are added out of the baseline's until 3 % would have been seen; if the",
        "scatter is too wide even then, the gate says how many seeds would settle it.",
        "",
        "Exit codes: 0 no regression; 1 a budget broken, a regression, or a known failure that is",
        "past its day or does not fail any more; 3 a guarantee broken; 4 not reproducible; 5 not",
        "decided: inconclusive, or no baseline of this weather; also a run that tested nothing; 65,",
        "66, 70, 73 as in 'onebar --help'.",
        "",
        "Known failures stand in reports/baselines/known-failures.jsonc, each with its last day:",
        "  [{ \"profile\": \"commute\", \"failure\": \"outbox.in_order\", \"reason\": \"...\",",
        "     \"owner\": \"messaging\", \"until\": \"2027-01-31\" }]",
        "A failure is a guarantee, a budget (\"radio.energy_j: p95 <= 925J\") or a regression",
        "(\"radio.energy_j: baseline\").",
        "",
        "The folder reports/NAME holds, beside the report of a run, gate.json, metrics.txt",
        "(OpenMetrics, for GitLab), junit.xml and summary.md with the gate's verdict. Under GitHub",
        "Actions, failures are annotated and the summary is appended to the job's.",
    ]
    package static let options = [
        OptionSpec("--baseline", value: "FILE", help: "another baseline; one profile only"),
        OptionSpec("--update", help: "writes the baseline instead of comparing with it"),
        OptionSpec(
            "--seeds",
            value: "auto|N|A..B",
            help: "seeds; with --update 4 times the profile's unless said"
        ),
        TaggedProfiles.option,
        OptionSpec(
            "--for",
            value: "SPAN",
            help: "adds no seeds after this time, such as 5min; what is open then stays open"
        ),
        OptionSpec("--jobs", value: "N", help: "worker processes side by side; 1 unless said"),
        OptionSpec("--out", value: "DIR", help: "where reports go; 'reports' unless said"),
        OptionSpec("--known", value: "FILE", help: "known failures from another file"),
        OptionSpec(
            "--explore",
            value: "N",
            help: "N more seeds drawn from the commit; what they find never blocks"
        ),
        OptionSpec("--accept-inconclusive", help: "an open comparison is a warning"),
        OptionSpec("--json", help: "prints one line of JSON a profile instead of text"),
        RunArchive.option,
        OptionSpec("--quiet", help: "no progress"),
    ]

    /// Gates every profile that is named and returns the gravest exit code.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        let operands = try TaggedProfiles.operands(arguments, context)
        guard !operands.isEmpty else {
            throw CommandFailure.usage(
                "nothing to gate",
                remedy: "name a profile: onebar gate commute"
            )
        }
        if arguments.has("--baseline"), operands.count > 1 {
            throw CommandFailure.usage(
                "--baseline names one file, and there are \(operands.count) profiles",
                remedy: "gate them one by one"
            )
        }
        if let path = arguments.value("--baseline"), !arguments.has("--update"),
            !FileManager.default.fileExists(atPath: path)
        {
            throw CommandFailure(
                [
                    "onebar: error: there is no baseline at '\(path)'",
                    "  write it: onebar gate \(ShellText.word(operands[0])) --baseline "
                        + "\(ShellText.word(path)) --update",
                ],
                code: .missingInput
            )
        }
        try LabStart.prepare()
        let options = try GateOptions(arguments, context)
        let loaded = try operands.map { try ScenarioLoading.load($0) }
        for profile in loaded where !options.isUpdate {
            try OutputFolder.prepare("\(options.folder)/\(profile.scenario.name)")
        }
        var codes: [ExitCode] = []
        let deadline = options.span.map { ContinuousClock.now + $0 }
        for (index, (profile, operand)) in zip(loaded, operands).enumerated() {
            var job = GateJob(loaded: profile, operand: operand, options: options, context: context)
            // What is left of the time is shared by the profiles that are left.
            job.deadline = deadline.map { end in
                let left = max(.zero, end - ContinuousClock.now)
                return ContinuousClock.now + left / (loaded.count - index)
            }
            codes.append(try options.isUpdate ? job.update() : job.gate())
        }
        return .gravest(of: codes)
    }
}

/// What the command line of a gate says.
struct GateOptions {
    let baseline: String?
    let isUpdate: Bool
    /// Nil: as many as it takes.
    let seeds: SeedRange?
    let jobs: Int
    let span: Duration?
    let folder: String
    let explore: Int
    let acceptsInconclusive: Bool
    let isJSON: Bool
    let isQuiet: Bool
    let known: [KnownFailure]
    let history: String?

    init(_ arguments: ParsedArguments, _ context: CommandContext) throws(CommandFailure) {
        baseline = arguments.value("--baseline")
        isUpdate = arguments.has("--update")
        seeds = try arguments.value("--seeds") == "auto" ? nil : RunOptions.seedRange(arguments)
        jobs = try RunOptions.jobCount(arguments)
        span = try RunOptions.span(arguments)
        folder = arguments.value("--out") ?? "reports"
        explore = try RunOptions.count("--explore", arguments, in: 0...10_000) ?? 0
        acceptsInconclusive = arguments.has("--accept-inconclusive")
        isJSON = arguments.has("--json")
        isQuiet = arguments.has("--quiet")
        history = arguments.value("--history")
        let path = arguments.value("--known") ?? "reports/baselines/known-failures.jsonc"
        guard arguments.has("--known") || FileManager.default.fileExists(atPath: path) else {
            known = []
            return
        }
        do {
            let library = ProfileLibrary.standard(
                environment: context.environment,
                workingDirectory: context.workingDirectory
            )
            known = try KnownFailures.read(path, in: library)
        } catch {
            throw ScenarioLoading.failure(of: error)
        }
    }

    /// Where the baseline of a profile is.
    func path(of profile: String) -> String {
        baseline ?? "reports/baselines/\(profile).json"
    }
}
