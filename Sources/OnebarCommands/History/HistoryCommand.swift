import Foundation
import History
import Measurements
import Profiles
import Reporting

/// `onebar history`: a metric over commits, as a table and as a chart.
package enum HistoryCommand: Subcommand {
    package static let name = "history"
    package static let summary = "shows a metric over the runs of an archive"
    package static let operands = "[METRIC]"
    package static let discussion = [
        "Reads the archive that 'onebar run --history FILE' and 'onebar gate --history FILE' fill;",
        "reports/history.sqlite unless said. Without a metric: the runs themselves.",
        "The file is plain SQLite with the tables runs, seeds, readings, summaries, budgets and",
        "breaches:",
        "  sqlite3 FILE \"SELECT commit_id, p95 FROM runs JOIN summaries ON run_id = id",
        "    WHERE profile = 'commute' AND metric = 'radio.energy_j' ORDER BY id\"",
        "Exits 5 if the archive has nothing of it, 66 if there is no archive.",
    ]
    package static let options = [
        OptionSpec("--history", value: "FILE", help: "another archive"),
        OptionSpec(
            "--profile",
            value: "NAME",
            help: "of this profile; needed if there are several"
        ),
        OptionSpec("--last", value: "N", help: "the last N runs; 30 unless said"),
        OptionSpec("--html", value: "FILE", help: "writes a page with the chart too"),
        OptionSpec("--quiet", help: "does not say where the chart is"),
    ]

    /// Prints the table, and writes the page if asked.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        let path = arguments.value("--history") ?? "reports/history.sqlite"
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else {
            throw CommandFailure(
                "onebar: error: '\(path)' is a folder (name the archive in it)",
                code: .badInput
            )
        }
        guard isThere else {
            throw CommandFailure(
                [
                    "onebar: error: there is no archive at '\(path)'",
                    "  fill one: onebar run commute --history \(ShellText.word(path))",
                ],
                code: .missingInput
            )
        }
        let last = try RunOptions.count("--last", arguments, in: 1...1_000_000) ?? 30
        let result: Result<ExitCode, CommandFailure>
        do throws(HistoryError) {
            let archive = try HistoryArchive(path: path)
            if let name = arguments.operands.first {
                result = try show(name, archive, arguments, last, context)
            } else {
                result = .success(try listRuns(archive, arguments, last, context))
            }
        } catch {
            throw RunArchive.failure(error)
        }
        return try result.get()
    }

    private static func listRuns(
        _ archive: HistoryArchive,
        _ arguments: ParsedArguments,
        _ last: Int,
        _ context: CommandContext
    ) throws(HistoryError) -> ExitCode {
        let runs = try archive.runs(of: arguments.value("--profile"), last: last)
        for run in runs {
            let commit = run.context.commit.isEmpty ? "-" : String(run.context.commit.prefix(12))
            context.console.print(
                "\(run.run)  \(run.context.recordedAt)  \(commit)  \(run.profile)  "
                    + "\(run.seeds) seed\(run.seeds == 1 ? "" : "s")  \(run.verdict.replacing("-", with: " "))"
            )
        }
        return runs.isEmpty ? .nothingTested : .pass
    }

    private static func show(
        _ name: String,
        _ archive: HistoryArchive,
        _ arguments: ParsedArguments,
        _ last: Int,
        _ context: CommandContext
    ) throws(HistoryError) -> Result<ExitCode, CommandFailure> {
        var profiles: [String] = []
        for run in try archive.runs() where !profiles.contains(run.profile) {
            profiles.append(run.profile)
        }
        guard let profile = arguments.value("--profile") ?? profiles.first,
            arguments.value("--profile") != nil || profiles.count == 1
        else {
            return .failure(
                .usage(
                    profiles.isEmpty ? "the archive is empty" : "the archive has several profiles",
                    remedy: "name one: --profile \(profiles.joined(separator: " or "))"
                )
            )
        }
        let metric = MetricName(name)
        let points = try archive.series(of: metric, profile: profile, last: last)
        guard !points.isEmpty else {
            let near = NearestName.of(
                name,
                among: try archive.metrics(of: profile).map(\.text)
            )
            return .failure(
                CommandFailure(
                    [
                        "onebar: error: no archived run of '\(profile)' has '\(name)'",
                        near.map { "  did you mean '\($0)'?" } ?? "  see all: onebar explain",
                    ],
                    code: .nothingTested
                )
            )
        }
        context.console.print("\(metric) of \(profile)")
        context.console.print(HistoryTable(points, of: metric).text)
        guard let file = arguments.value("--html") else { return .success(.pass) }
        let page = SeriesPage(
            title: "\(metric) of \(profile)",
            metric: metric,
            points: points.map { point in
                SeriesPage.Point(
                    label: point.commit.isEmpty
                        ? "run \(point.run)" : String(point.commit.prefix(12)),
                    recorded: point.recordedAt,
                    median: point[.p50],
                    upper: point[.p95],
                    count: point.count,
                    verdict: point.verdict
                )
            }
        )
        do {
            try Data(page.text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            return .failure(
                CommandFailure(
                    "onebar: error: cannot write '\(file)' (name another with --html)",
                    code: .cannotWrite
                )
            )
        }
        if !arguments.has("--quiet") { context.console.note("chart: \(file)") }
        return .success(.pass)
    }
}
