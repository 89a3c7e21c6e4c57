import Profiles

/// What the options of `onebar run` ask for, read and checked before anything runs.
struct RunPlan {
    let jobs: Int
    let seeds: SeedRange?
    /// How long seeds are added; nil for those of the profile, or of `seeds`.
    let span: Duration?
    let out: String
    let shard: ShardChoice?
    let variation: Variation?
    let overrides: [ProfileOverride]
    let cache: String?
    let archive: String?
    let printsJSON: Bool
    let verifies: Bool
    let captures: Bool
    let traces: Bool
    let printsEffects: Bool
    let isQuiet: Bool

    /// One key and the values that it takes in turn.
    struct Variation: Equatable, Sendable {
        let key: String
        let values: [String]
    }

    /// Reads the options; throws a usage failure at a value that makes no sense.
    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        jobs = try RunOptions.jobCount(arguments)
        seeds = try RunOptions.seedRange(arguments)
        span = try RunOptions.span(arguments)
        out = arguments.value("--out") ?? "reports"
        if let text = arguments.value("--shard") {
            shard = try ShardChoice(text)
        } else {
            shard = nil
        }
        variation = try Self.variation(arguments)
        var changes: [ProfileOverride] = []
        for text in arguments.all("--set") { changes.append(try ScenarioLoading.override(text)) }
        overrides = changes
        cache = arguments.value("--cache")
        archive = arguments.value("--history")
        printsJSON = arguments.has("--json")
        verifies = arguments.has("--verify")
        captures = arguments.has("--pcap")
        traces = arguments.has("--perfetto")
        printsEffects = arguments.has("--effects")
        isQuiet = arguments.has("--quiet")
        if span != nil, arguments.has("--vary") {
            throw .usage(
                "'--for' gives each value other seeds, and '--vary' compares the same ones",
                remedy: "say which seeds: --seeds 1..50"
            )
        }
        guard shard != nil else { return }
        for name in ["--verify", "--pcap", "--perfetto", "--effects", "--json", "--vary", "--for"]
        where arguments.has(name) {
            throw .usage(
                "'\(name)' says nothing of a piece of a sweep",
                remedy: "leave it out, or run without --shard"
            )
        }
    }

    /// The piece as progress names it.
    var shardText: String { shard.map { "\($0.index)/\($0.count)" } ?? "" }

    private static func variation(
        _ arguments: ParsedArguments
    ) throws(CommandFailure) -> Variation? {
        let all = arguments.all("--vary")
        guard let text = all.first else { return nil }
        let remedy = "write --vary app.retry=workmanager-2,full-jitter"
        guard all.count == 1 else {
            throw .usage("'--vary' was given \(all.count) times", remedy: "vary one key a run")
        }
        guard let equals = text.firstIndex(of: "=") else {
            throw .usage("--vary: '\(text)' has no values", remedy: remedy)
        }
        let key = String(text[..<equals])
        let values = text[text.index(after: equals)...]
            .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for (index, value) in values.enumerated() {
            guard ProfileOverride(key: key, value: value) != nil,
                !values[..<index].contains(value)
            else {
                throw .usage(
                    "--vary: '\(text)' has an empty key, value or one twice",
                    remedy: remedy
                )
            }
        }
        return Variation(key: key, values: values)
    }
}
