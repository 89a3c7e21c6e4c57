import Foundation
import Lab
import Profiles
import Quantities

/// `onebar hunt`: searches fault plans for a broken guarantee, shrinks it, saves plan and story.
package enum HuntCommand: Subcommand {
    package static let name = "hunt"
    package static let summary = "searches for faults that break a guarantee, and shrinks them"
    package static let operands = "NAME|FILE"
    package static let discussion = [
        "Runs the profile once as it is and counts what happens in it. Then tries every single",
        "fault (a death before and after each write, sync, removal and rename; the loss of each",
        "answer; refusals, outages, a full disk), every death with every lost answer, sampled",
        "pairs, and swarms of faults until the time is over. All of them are numbered, and the",
        "same in every hunt of a profile: one that found nothing says with which to go on.",
        "At the first broken guarantee it stops, takes away every fault that is not necessary, and",
        "saves DIR/NAME/GUARANTEE.plan.json with a story of the run beside it.",
        "Ends with 3 when it found something, with 0 when it did not.",
    ]
    package static let options = [
        OptionSpec("--for", value: "SPAN", help: "how long it searches; 60s unless said"),
        OptionSpec(
            "--from",
            value: "N",
            help: "its first plan, as an earlier hunt told; 0 unless said"
        ),
        OptionSpec("--jobs", value: "N", help: "worker processes side by side; 1 unless said"),
        OptionSpec("--out", value: "DIR", help: "where plan and story go; 'reports' unless said"),
        OptionSpec("--quiet", help: "no progress"),
    ]

    /// Hunts on one profile.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard arguments.operands.count == 1, let profile = arguments.operands.first else {
            throw CommandFailure.usage(
                arguments.operands.isEmpty ? "nothing to hunt in" : "a hunt takes one profile",
                remedy: "name a profile: onebar hunt messages-and-upload"
            )
        }
        let span = try RunOptions.span(arguments) ?? .seconds(60)
        let jobs = try RunOptions.jobCount(arguments)
        let first = try RunOptions.firstPlan(arguments)
        let scenario = try ScenarioLoading.load(profile).scenario
        guard scenario.scenario.fleet == nil else {
            throw CommandFailure.usage(
                "\(scenario.name) is a fleet, and a hunt follows one phone",
                remedy: "hunt in a profile without \"fleet\""
            )
        }
        let folder = "\(arguments.value("--out") ?? "reports")/\(scenario.name)"
        try OutputFolder.prepare(folder)

        let lead = HuntWorker(profile: profile, context: context)
        defer { lead.end() }
        guard case .answer(let answer) = try lead.ask(HuntOrder(census: true)),
            let census = answer.census
        else { return try crashed(profile, scenario, lead, folder, context) }
        let schedule = HuntSchedule(
            profile: profile,
            seeds: scenario.run.seeds.bounds,
            census: census
        )
        if !arguments.has("--quiet") { announce(schedule, scenario.name, context) }
        let progress = HuntProgress(
            console: context.console,
            label: scenario.name,
            schedule: schedule,
            isQuiet: arguments.has("--quiet")
        )
        Interruption.begin(Interruption.Work(label: scenario.name, unit: "plans"))
        let search = HuntSearch(schedule, from: first, deadline: ContinuousClock.now + span)
        let profileCopy = profile
        let environment = WorkerSurroundings(context)
        let result = search.run(
            jobs: jobs,
            worker: { HuntWorker(profile: profileCopy, context: environment.context) },
            progress: {
                Interruption.advance(to: $0.runs, next: $0.next)
                progress.show($0)
            }
        )
        progress.finish()
        if let failure = result.failure { throw failure }
        let told =
            "\(result.runs) runs, \(progress.speed(result)) runs/s, "
            + "\(result.coverage.struck) of \(result.coverage.total) places struck"
        guard let found = result.found else {
            context.console.print(folding: "\(scenario.name): no guarantee broke in \(told)")
            for line in coverageLines(result.coverage) { context.console.print(line) }
            context.console.print("go on with --from \(result.next)")
            return .pass
        }
        context.console.note("\(scenario.name): found after \(told); shrinking")
        let finding = try HuntFinding.shrunk(schedule.plan(found.index), found.breach) {
            try lead.run($0, story: $1)
        }
        try tell(finding, folder, context)
        return .guaranteeBroken
    }

    /// The profile as it is crashes the app: there is nothing to shrink.
    private static func crashed(
        _ profile: String,
        _ scenario: Scenario,
        _ lead: HuntWorker,
        _ folder: String,
        _ context: CommandContext
    ) throws -> ExitCode {
        let plan = FaultPlan(profile: profile, seed: scenario.run.seeds.bounds.lowerBound)
        guard let breach = try lead.run(plan, story: false).breaches.first else {
            throw CommandFailure(
                "onebar: error: the app crashed once and then did not: '\(profile)'",
                code: .notReproducible
            )
        }
        let finding = try HuntFinding.shrunk(plan, breach) { try lead.run($0, story: $1) }
        try tell(finding, folder, context)
        return .guaranteeBroken
    }

    private static func tell(
        _ finding: HuntFinding,
        _ folder: String,
        _ context: CommandContext
    ) throws {
        let paths = try Interruption.whole { try HuntFiles.write(finding, to: folder) }
        for line in FindingFiles.summary(of: finding) { context.console.print(folding: line) }
        let count = finding.plan.faults.count
        let necessary =
            switch count {
            case 0: "it breaks by itself"
            case 1: "it is necessary"
            default: "each of them necessary"
            }
        let minimal = finding.isMinimal ? necessary : "shrinking was cut short"
        let runs = finding.shrinkRuns == 1 ? "1 run" : "\(finding.shrinkRuns) runs"
        context.console.print("")
        context.console.print(
            "shrunk from \(finding.firstFaults) to \(count) fault\(count == 1 ? "" : "s") in "
                + "\(runs), \(minimal)"
        )
        context.console.print("plan:   \(paths.plan)")
        context.console.print("story:  \(paths.story)")
        context.console.print("replay: onebar replay \(ShellText.word(paths.plan))")
    }

    private static func announce(
        _ schedule: HuntSchedule,
        _ name: String,
        _ context: CommandContext
    ) {
        let both = schedule.count(of: .deathAndLoss) ?? 0
        let pairs = schedule.count(of: .pairs) ?? 0
        context.console.note(
            "\(name): \(schedule.singles.count) single faults, \(both) deaths with a loss, "
                + "\(pairs) pairs, swarms"
        )
    }

    private static func coverageLines(_ coverage: HuntCoverage) -> [String] {
        coverage.byKind.map { "  \($0.kind.rawValue): \($0.struck) of \($0.total) struck" }
    }
}

/// What a worker needs of the command's surroundings, for other threads.
private struct WorkerSurroundings: @unchecked Sendable {
    // A context's console writes whole lines; workers use its executable and environment alone.
    let context: CommandContext

    init(_ context: CommandContext) {
        self.context = context
    }
}
