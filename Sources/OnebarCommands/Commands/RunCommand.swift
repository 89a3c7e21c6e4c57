import Budgets
import Lab
import Profiles

/// `onebar run`: simulates, judges, reports.
package enum RunCommand: Subcommand {
    package static let name = "run"
    package static let summary = "simulates a profile, judges it, writes the report"
    package static let operands = "[NAME|FILE...]"
    package static let discussion = [
        "NAME is a profile under profiles/, such as commute; FILE is a profile of your own.",
        "The report is written to reports/NAME/: report.html, run.json, metrics.csv, budgets.csv,",
        "energy.csv, timeline.csv, junit.xml and summary.md.",
        "A run that was interrupted, as with control-C, leaves no file half-written and goes on where",
        "it stopped: say the same line again.",
        "",
        "Exit codes: 0 pass; 1 a budget broken; 3 a guarantee broken; 4 not reproducible; 5 nothing",
        "was tested; the others are in 'onebar --help'.",
    ]
    package static let options = [
        OptionSpec("--seeds", value: "N|A..B", help: "seeds instead of the profile's"),
        TaggedProfiles.option,
        OptionSpec(
            "--for",
            value: "SPAN",
            help: "as many seeds as fit this time, such as 5min, from the profile's first on"
        ),
        OptionSpec("--jobs", value: "N", help: "worker processes side by side; 1 unless said"),
        OptionSpec("--out", value: "DIR", help: "where reports go; 'reports' unless said"),
        OptionSpec("--json", help: "prints one line of JSON a profile instead of text"),
        OptionSpec("--verify", help: "runs every seed again elsewhere and compares event by event"),
        OptionSpec("--pcap", help: "writes what the modem sent and received: seed-N.pcapng"),
        OptionSpec(
            "--perfetto",
            help: "writes each seed for ui.perfetto.dev: seed-N.perfetto-trace"
        ),
        OptionSpec(
            "--vary",
            value: "KEY=A,B",
            help: "runs each value on the same seeds, in one table"
        ),
        OptionSpec("--set", value: "KEY=VALUE", help: "replaces a value of the profile"),
        OptionSpec(
            "--shard",
            value: "K/N",
            help: "runs every N-th seed; 'onebar merge' joins the pieces"
        ),
        OptionSpec(
            "--cache",
            value: "DIR",
            help: "keeps each seed's result there, and takes those it has"
        ),
        OptionSpec("--effects", help: "prints the numbered points at which the app can die"),
        RunArchive.option,
        OptionSpec("--quiet", help: "no progress"),
    ]

    /// Runs every profile that is named and returns the gravest exit code.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        let operands = try TaggedProfiles.operands(arguments, context)
        guard !operands.isEmpty else {
            throw CommandFailure.usage(
                "nothing to run",
                remedy: "name a profile: onebar run commute"
            )
        }
        try LabStart.prepare()
        let plan = try RunPlan(arguments)
        var codes: [ExitCode] = []
        var profiles: [VariedProfile] = []
        for operand in operands {
            profiles += try VariedProfile.all(of: operand, plan)
        }
        for profile in profiles { try refuse(profile.loaded.scenario, plan) }
        for profile in profiles { try OutputFolder.prepare(profile.folder(in: plan.out)) }
        var runs: [(VariedProfile, ProfileRun)] = []
        let deadline = plan.span.map { ContinuousClock.now + $0 }
        for (index, profile) in profiles.enumerated() {
            // What is left of the time is shared by the profiles that are left.
            let end = deadline.map { end in
                let left = max(.zero, end - ContinuousClock.now)
                return ContinuousClock.now + left / (profiles.count - index)
            }
            for warning in profile.loaded.scenario.warnings { context.console.note("\(warning)") }
            let (code, run) = try Self.run(profile, plan, until: end, context)
            codes.append(code)
            if let run { runs.append((profile, run)) }
        }
        if let variation = plan.variation, !plan.printsJSON {
            context.console.print(VariationTable(variation.key, runs).text)
        }
        return .gravest(of: codes)
    }

    /// Refuses what a profile cannot give, before any of them runs.
    private static func refuse(_ scenario: Scenario, _ plan: RunPlan) throws(CommandFailure) {
        guard let fleet = scenario.scenario.fleet else { return }
        if plan.captures, !fleet.isOfPhones {
            throw .usage(
                "the callers of \(scenario.name) send no packets to capture",
                remedy: "leave out --pcap"
            )
        }
        guard plan.traces else { return }
        throw .usage(
            fleet.isOfPhones
                ? "\(scenario.name) has many phones, and a trace is of one"
                : "\(scenario.name) has callers and no phone: there is nothing to trace",
            remedy: "leave out --perfetto"
        )
    }

    private static func run(
        _ profile: VariedProfile,
        _ plan: RunPlan,
        until deadline: ContinuousClock.Instant?,
        _ context: CommandContext
    ) throws -> (ExitCode, ProfileRun?) {
        let started = ContinuousClock.now
        let scenario = profile.loaded.scenario
        let folder = profile.folder(in: plan.out)
        let range = plan.seeds ?? scenario.run.seeds
        let order = { (seed: UInt64, timeline: Bool) in
            SeedOrder(
                seed: seed,
                timeline: timeline,
                effects: plan.printsEffects,
                advice: seed == range.bounds.lowerBound,
                capture: plan.captures ? "\(folder)/seed-\(seed).pcapng" : nil,
                perfetto: plan.traces ? "\(folder)/seed-\(seed).perfetto-trace" : nil
            )
        }
        if plan.captures, scenario.declaresRadioActivity {
            context.console.note(
                "note: \(scenario.name) declares radio activity, which no packet carries: "
                    + "its captures cost less than its runs"
            )
        }
        let key = SweepKey(scenario.closure, executable: context.executable)
        // What an interrupted run leaves behind is taken up by the next one.
        let leavings = SeedStore(path: "\(folder)/.unfinished", key: key)
        let sweep = SeedSweep(
            profile: profile.operand,
            context: context,
            jobs: plan.jobs,
            isQuiet: plan.isQuiet,
            overrides: profile.overrides,
            store: plan.cache.map { SeedStore(path: $0, key: key) } ?? leavings
        )
        if let shard = plan.shard {
            let orders = shard.seeds(of: range.bounds).map { order($0, true) }
            let answers = try sweep.answers(to: orders, label: "\(profile.name) \(plan.shardText)")
            let piece = ShardFile(
                head: ShardFile.Head(
                    profile: profile.operand,
                    overrides: profile.overrides.map(\.text),
                    key: key.text,
                    seeds: range.description,
                    index: shard.index,
                    count: shard.count
                ),
                entries: zip(orders, answers).map { ShardFile.Entry($0, $1) }
            )
            let path = "\(folder)/\(ShardFile.name(shard.index, of: shard.count))"
            try Interruption.whole { try OutputFolder.write(piece, to: path) }
            leavings.remove()
            context.console.print(path)
            return (.pass, nil)
        }
        let yield: SeedSweep.Yield
        if let deadline {
            // A bar of its own for each round says something on a terminal only.
            var rounds = sweep
            rounds.isQuiet = plan.isQuiet || !context.console.drawsProgress
            let bounds = range.bounds.lowerBound...(plan.seeds?.bounds.upperBound ?? .max)
            let timed = TimedSweep(sweep: rounds, range: bounds, deadline: deadline, order: order)
            yield = try timed.run(
                label: profile.name,
                verify: plan.verifies,
                rules: profile.loaded.rules
            )
        } else {
            let orders = range.bounds.map { order($0, true) }
            yield = try sweep.run(orders, label: profile.name, verify: plan.verifies)
        }
        let delivery = RunDelivery(
            loaded: profile.loaded,
            name: profile.name,
            replayTemplate: profile.replayTemplate,
            folder: folder,
            printsJSON: plan.printsJSON,
            isQuiet: plan.isQuiet,
            verified: plan.verifies,
            archive: plan.archive,
            context: context
        )
        let run = try delivery.deliver(yield, spent: ContinuousClock.now - started)
        leavings.remove()
        return (ExitCode(run.verdict.outcome), run)
    }
}
