import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import Quantities
import Reporting
import SimulationKernel

/// `onebar run`: simulates, judges, reports.
package enum RunCommand: Subcommand {
    package static let name = "run"
    package static let summary = "simulates a profile, judges it, writes the report"
    package static let operands = "NAME|FILE..."
    package static let discussion = [
        "NAME is a profile under profiles/, such as commute; FILE is a profile of your own.",
        "The report is written to reports/NAME/: report.html, run.json, metrics.csv, budgets.csv,",
        "timeline.csv, junit.xml and summary.md.",
    ]
    package static let options = [
        OptionSpec("--seeds", value: "N|A..B", help: "seeds instead of the profile's"),
        OptionSpec("--jobs", value: "N", help: "worker processes side by side; 1 unless said"),
        OptionSpec("--out", value: "DIR", help: "where reports go; 'reports' unless said"),
        OptionSpec("--json", help: "prints one line of JSON a profile instead of text"),
        OptionSpec("--verify", help: "runs every seed twice and compares event by event"),
        OptionSpec("--pcap", help: "writes what the modem sent and received: seed-N.pcapng"),
        OptionSpec("--effects", help: "prints the numbered points at which the app can die"),
        RunArchive.option,
        OptionSpec("--quiet", help: "no progress"),
    ]

    /// Runs every profile that is named and returns the gravest exit code.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard !arguments.operands.isEmpty else {
            throw CommandFailure.usage(
                "nothing to run",
                remedy: "name a profile: onebar run commute"
            )
        }
        try LabStart.prepare()
        let jobs = try RunOptions.jobCount(arguments)
        let seeds = try RunOptions.seedRange(arguments)
        let loaded = try arguments.operands.map { try ScenarioLoading.load($0) }
        let folder = arguments.value("--out") ?? "reports"
        for profile in loaded { try OutputFolder.prepare("\(folder)/\(profile.scenario.name)") }
        var codes: [ExitCode] = []
        for (profile, operand) in zip(loaded, arguments.operands) {
            for warning in profile.scenario.warnings { context.console.note("\(warning)") }
            let sweep = SeedSweep(
                profile: operand,
                context: context,
                jobs: jobs,
                isQuiet: arguments.has("--quiet")
            )
            codes.append(
                try run(
                    profile,
                    sweep,
                    seeds ?? profile.scenario.run.seeds,
                    arguments,
                    folder: "\(folder)/\(profile.scenario.name)",
                    context
                )
            )
        }
        return .gravest(of: codes)
    }

    private static func run(
        _ loaded: ScenarioLoading.Loaded,
        _ sweep: SeedSweep,
        _ seeds: SeedRange,
        _ arguments: ParsedArguments,
        folder: String,
        _ context: CommandContext
    ) throws -> ExitCode {
        let started = ContinuousClock.now
        let effects = arguments.has("--effects")
        let orders = seeds.bounds.map { seed in
            SeedOrder(
                seed: seed,
                timeline: true,
                effects: effects,
                capture: arguments.has("--pcap") ? "\(folder)/seed-\(seed).pcapng" : nil
            )
        }
        if arguments.has("--pcap"), loaded.scenario.declaresRadioActivity {
            context.console.note(
                "note: \(loaded.scenario.name) declares radio activity, which no packet carries: "
                    + "its captures cost less than its runs"
            )
        }
        let name = loaded.scenario.name
        let yield = try sweep.run(orders, label: name, verify: arguments.has("--verify"))
        let run = ProfileRun(
            profile: name,
            summary: loaded.scenario.summary.first ?? "",
            mode: LabMode.current.rawValue,
            radios: loaded.radioNotes,
            seeds: yield.results,
            rules: loaded.rules,
            baseline: try baseline(of: name, context),
            irreproducible: yield.irreproducible,
            labFaults: yield.labFaults,
            replayTemplate: "onebar run \(sweep.profile) --seeds {seed}"
        )
        try OutputFolder.write(run, to: folder)
        try RunArchive.add(run, to: arguments.value("--history"), context)
        let spent = ContinuousClock.now - started
        if arguments.has("--json") {
            context.console.print(RunJSON.line(of: run))
        } else {
            for (seed, lines) in yield.effects {
                context.console.print("effects of seed \(seed):")
                for line in lines { context.console.print("  \(line)") }
            }
            context.console.print(RunSummaryText(run, isColored: context.console.usesColor).text)
        }
        if !arguments.has("--quiet") {
            let host = yield.results.reduce(Duration.zero) { $0 + .nanoseconds($1.hostNanoseconds) }
            context.console.note(
                "\(name): \(yield.results.count) seeds in \(spent.rounded) (\(host.rounded) "
                    + "simulating, \(yield.events) events); report: \(folder)/report.html"
            )
        }
        return ExitCode(run.verdict.outcome)
    }

    /// The committed figures of a profile, if there are any.
    private static func baseline(
        of profile: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> BudgetBaseline? {
        do {
            return try BaselineFile.read("reports/baselines/\(profile).json")
        } catch {
            throw CommandFailure("onebar: error: \(error)", code: .badInput)
        }
    }
}

extension Duration {
    /// Whole hundredths of a second, for the host's own time.
    fileprivate var rounded: String {
        let hundredths = (wholeNanoseconds + 5_000_000) / 10_000_000
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
    }
}
