import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import Reporting
import SimulationKernel

/// One profile of a gate: its seeds, its comparison, its files.
struct GateJob {
    let loaded: ScenarioLoading.Loaded
    let operand: String
    let options: GateOptions
    let context: CommandContext
    /// When no more seeds are added; nil for never.
    var deadline: ContinuousClock.Instant?

    private var name: String { loaded.scenario.name }
    private var path: String { options.path(of: name) }
    private var metrics: [GatedMetric] { GatedMetric.all(of: loaded.rules) }
    private var profileSeeds: [UInt64] { Array(loaded.scenario.run.seeds.bounds) }

    // MARK: --update

    /// Runs and writes the baseline; what fails is told but does not keep a baseline from being made.
    func update() throws -> ExitCode {
        let seeds = options.seeds.map { Array($0.bounds) } ?? wideSeeds
        let yield = try run(seeds, label: "baseline \(name)", timeline: false)
        guard yield.labFaults.isEmpty, !yield.results.isEmpty else {
            throw CommandFailure(
                ["onebar: error: no baseline was written"] + yield.labFaults.map { "  \($0)" },
                code: .internalError
            )
        }
        let results = yield.results.sorted { $0.seed < $1.seed }
        let baseline = BudgetBaseline(
            profile: name,
            of: results,
            paired: Set(metrics.map(\.name)),
            origin: BaselineOrigin(
                toolVersion: FrontDoor.version,
                mode: LabMode.current.rawValue,
                weather: loaded.scenario.closure.weather
            )
        )
        do {
            try Interruption.whole { try BaselineFile.write(baseline, to: path) }
        } catch {
            throw CommandFailure("onebar: error: \(error)", code: .cannotWrite)
        }
        let broken = results.flatMap(\.breaches).count
        context.console.print(
            "\(path): \(results.count) seeds, \(baseline.metrics.count) metrics; commit it"
        )
        if broken > 0 {
            context.console.note(
                "onebar: warning: \(broken) guarantees broke while the baseline was made; "
                    + "'onebar run \(ShellText.word(operand))' tells which"
            )
        }
        return .pass
    }

    /// The profile's seeds and three times as many after them, for a gate to add from.
    private var wideSeeds: [UInt64] {
        let own = loaded.scenario.run.seeds
        let first = own.bounds.lowerBound
        let (last, overflow) = first.addingReportingOverflow(UInt64(own.count) * 4 - 1)
        return Array(first...(overflow ? .max : last))
    }

    // MARK: the gate

    /// Runs, compares, judges, writes; returns how this profile came out.
    func gate() throws -> ExitCode {
        for warning in loaded.scenario.warnings { context.console.note("\(warning)") }
        let state = BaselineState(
            try readBaseline(),
            path: path,
            profile: name,
            mode: LabMode.current.rawValue,
            weather: loaded.scenario.closure.weather
        )
        let plan =
            options.seeds.map { GatePlan(fixed: Array($0.bounds)) }
            ?? GatePlan(profile: profileSeeds, baseline: state.baseline?.seeds ?? [])
        var yield = SeedSweep.Yield()
        var report: GateReport?
        for (index, seeds) in plan.looks.enumerated() {
            let have = Set(yield.results.map(\.seed))
            let more = try run(
                seeds.filter { !have.contains($0) },
                label: "gate \(name)",
                timeline: index == 0
            )
            yield.results += more.results
            yield.labFaults += more.labFaults
            let judged = judge(yield, state, looks: (index + 1, plan.looks.count))
            report = judged
            if isDecided(judged) || deadline.map({ $0 <= .now }) ?? false { break }
        }
        guard var report else { return .nothingTested }
        if options.explore > 0 {
            report = GateReport(
                run: report.run,
                verdict: report.verdict,
                looks: report.looks,
                explored: try explore(beside: report.run)
            )
        }
        try write(report)
        return ExitCode(report.verdict.outcome)
    }

    /// More seeds can only help while nothing is broken and a comparison is open.
    private func isDecided(_ report: GateReport) -> Bool {
        guard [.pass, .nothingTested].contains(report.verdict.outcome) else { return true }
        return !report.verdict.comparisons.contains { $0.kind == .inconclusive }
    }

    private func judge(
        _ yield: SeedSweep.Yield,
        _ state: BaselineState,
        looks: (taken: Int, planned: Int)
    ) -> GateReport {
        let run = ProfileRun(
            profile: name,
            summary: JSONCDocument.headline(of: loaded.scenario.summary),
            mode: LabMode.current.rawValue,
            radios: loaded.radioNotes,
            seeds: yield.results,
            rules: loaded.rules,
            baseline: state.baseline?.restricted(to: yield.results.map(\.seed)),
            labFaults: yield.labFaults,
            replayTemplate: "onebar run \(ShellText.word(operand)) --seeds {seed}"
        )
        var surroundings = GateVerdict.Surroundings(
            baseline: state,
            today: Today.day(context),
            toolVersion: FrontDoor.version
        )
        if let baseline = state.baseline {
            surroundings.comparisons = GateComparison.all(
                of: metrics,
                seeds: run.seeds,
                baseline: baseline,
                looks: looks.planned
            )
        }
        surroundings.known = options.known.filter { $0.profile == name }
        surroundings.acceptsInconclusive = options.acceptsInconclusive
        let verdict = GateVerdict(of: run, labFaults: yield.labFaults, in: surroundings)
        return GateReport(run: run, verdict: verdict, looks: looks)
    }

    private func readBaseline() throws(CommandFailure) -> BudgetBaseline? {
        do {
            return try BaselineFile.read(path)
        } catch {
            throw CommandFailure(
                "onebar: error: \(error)",
                code: error.exitCode == 66 ? .missingInput : .badInput
            )
        }
    }

    private func run(_ seeds: [UInt64], label: String, timeline: Bool) throws -> SeedSweep.Yield {
        guard !seeds.isEmpty else { return SeedSweep.Yield() }
        let sweep = SeedSweep(
            profile: operand,
            context: context,
            jobs: options.jobs,
            isQuiet: options.isQuiet
        )
        let orders = seeds.map { SeedOrder(seed: $0, timeline: timeline) }
        return try sweep.run(orders, label: label, verify: false)
    }

    /// Seeds drawn from the commit: what they find is told and blocks nobody.
    private func explore(beside run: ProfileRun) throws -> [String] {
        let pinned = Set(run.seeds.map(\.seed))
        let commit = CommitName.current(context).commit
        var state = ("\(name) \(commit)").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        var seeds: [UInt64] = []
        while seeds.count < options.explore {
            // A linear congruential step (Knuth, MMIX); the upper bits are the good ones.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let seed = 1_000 + (state >> 33)
            if !pinned.contains(seed), !seeds.contains(seed) { seeds.append(seed) }
        }
        let yield = try self.run(seeds, label: "explore \(name)", timeline: false)
        var findings = yield.labFaults.map { "explored: \($0)" }
        for result in yield.results.sorted(by: { $0.seed < $1.seed }) {
            guard let breach = result.breaches.first else { continue }
            findings.append(
                "explored seed \(result.seed), which does not block: \(breach.guarantee) broke: "
                    + "\(breach.message); replay: \(run.replay(result.seed))"
            )
        }
        return findings
    }

    // MARK: files and text

    private func write(_ report: GateReport) throws {
        let folder = "\(options.folder)/\(name)"
        do {
            let files = try report.files()
            try Interruption.whole { try ReportFolder.write(files, to: folder) }
        } catch let error as ReportError {
            throw CommandFailure("onebar: error: \(error)", code: .cannotWrite)
        }
        try RunArchive.add(report.run, gate: report.verdict, to: options.history, context)
        let console = context.console
        if options.isJSON {
            console.print(GateJSON.value(of: report).text)
        } else {
            console.print(GateText(report, isColored: console.usesColor).text)
        }
        announce(report)
        if !options.isQuiet { console.note("report: \(folder)/report.html") }
    }

    /// What GitHub Actions shows beside a change, and in the summary of the job.
    private func announce(_ report: GateReport) {
        guard context.environment["GITHUB_ACTIONS"] == "true" else { return }
        for line in GitHubAnnotations.lines(of: report) {
            if options.isJSON { context.console.note(line) } else { context.console.print(line) }
        }
        guard let path = context.environment["GITHUB_STEP_SUMMARY"],
            let file = FileHandle(forWritingAtPath: path)
        else { return }
        defer { try? file.close() }
        _ = try? file.seekToEnd()
        try? file.write(contentsOf: Data((GateMarkdown.text(of: report) + "\n").utf8))
    }
}
