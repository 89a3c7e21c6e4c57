import Budgets
import Profiles

/// `onebar merge`: joins the pieces of a sweep into the report that one run would have made.
package enum MergeCommand: Subcommand {
    package static let name = "merge"
    package static let summary = "joins the pieces that 'run --shard' wrote into one report"
    package static let operands = "FILE..."
    package static let discussion = [
        "Every piece must be there once, and all of one executable and one state of the profile.",
        "The files are those of 'onebar run' over all seeds, byte for byte, and so is the exit code.",
    ]
    package static let options = [
        OptionSpec("--out", value: "DIR", help: "where the report goes; 'reports' unless said"),
        OptionSpec("--json", help: "prints one line of JSON instead of text"),
        OptionSpec("--quiet", help: "no line about the report"),
    ]

    /// Reads all pieces, judges them together, and returns the verdict's exit code.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        var pieces: [(path: String, shard: ShardFile)] = []
        for path in arguments.operands { pieces.append((path, try ShardFile.read(path))) }
        guard let first = pieces.first else {
            throw CommandFailure.usage(
                "nothing to merge",
                remedy: "name the pieces: onebar merge reports/commute/shard-*.jsonl"
            )
        }
        try check(pieces)
        let head = first.shard.head
        var overrides: [ProfileOverride] = []
        for text in head.overrides { overrides.append(try ScenarioLoading.override(text)) }
        let profile = try VariedProfile(head.profile, overrides, value: nil)
        let scenario = profile.loaded.scenario
        let here = SweepKey(scenario.closure, executable: context.executable)
        guard here.text == head.key else {
            throw CommandFailure(
                "\(first.path): error: the pieces come of another state of '\(head.profile)' or of "
                    + "another executable (run every shard again with this one)",
                code: .badInput
            )
        }
        let entries = pieces.flatMap(\.shard.entries).sorted { $0.seed < $1.seed }
        try checkSeeds(entries.map(\.seed), head, first.path)
        let folder = profile.folder(in: arguments.value("--out") ?? "reports")
        try OutputFolder.prepare(folder)
        let sweep = SeedSweep(profile: head.profile, context: context, jobs: 1, isQuiet: true)
        let orders = entries.map { SeedOrder(seed: $0.seed, timeline: true) }
        let yield = try sweep.judge(orders, entries.map(\.workerAnswer))
        let delivery = RunDelivery(
            loaded: profile.loaded,
            name: profile.name,
            replayTemplate: profile.replayTemplate,
            folder: folder,
            printsJSON: arguments.has("--json"),
            isQuiet: arguments.has("--quiet"),
            context: context
        )
        return ExitCode(try delivery.deliver(yield, spent: nil).verdict.outcome)
    }

    /// All heads must tell of the same sweep, and every piece be there once.
    private static func check(
        _ pieces: [(path: String, shard: ShardFile)]
    ) throws(CommandFailure) {
        guard let first = pieces.first else { return }
        var seen: [Int: String] = [:]
        for (path, shard) in pieces {
            var expected = first.shard.head
            expected.index = shard.head.index
            guard shard.head == expected else {
                throw CommandFailure(
                    "\(path): error: it is a piece of another sweep than \(first.path) "
                        + "(merge pieces of one profile, seed range and executable)",
                    code: .badInput
                )
            }
            if let other = seen[shard.head.index] {
                throw CommandFailure(
                    "\(path): error: piece \(shard.head.index) is there twice, also as \(other) "
                        + "(name each piece once)",
                    code: .badInput
                )
            }
            seen[shard.head.index] = path
        }
        let count = first.shard.head.count
        let missing = (1...count).filter { seen[$0] == nil }
        guard missing.isEmpty else {
            let shown = missing.prefix(8).map { "\($0)/\(count)" }.joined(separator: ", ")
            let profile = ShellText.word(first.shard.head.profile)
            throw CommandFailure(
                "onebar: error: \(missing.count) of \(count) pieces are missing: \(shown) "
                    + "(run them: onebar run \(profile) --shard \(missing[0])/\(count))",
                code: .missingInput
            )
        }
    }

    private static func checkSeeds(
        _ seeds: [UInt64],
        _ head: ShardFile.Head,
        _ path: String
    ) throws(CommandFailure) {
        let range = try? SeedRange(text: head.seeds)
        guard let range, seeds == Array(range.bounds) else {
            throw CommandFailure(
                "\(path): error: the pieces hold \(seeds.count) seeds and not \(head.seeds) "
                    + "(a piece is cut off: run it again)",
                code: .badInput
            )
        }
    }
}
