import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import Quantities
import Reporting
import SimulationKernel

/// From the seeds of one profile to its report, its text and its verdict.
struct RunDelivery {
    let loaded: ScenarioLoading.Loaded
    /// The report's name; the profile's unless it was varied.
    let name: String
    /// How the profile is named in replay lines, changes included.
    let replayTemplate: String
    let folder: String
    let printsJSON: Bool
    let isQuiet: Bool
    /// Whether every seed was run twice and compared.
    var verified = false
    /// The archive that the run is added to; nil for none.
    var archive: String?
    let context: CommandContext

    /// Judges, writes the report, prints, and returns the run.
    func deliver(_ yield: SeedSweep.Yield, spent: Duration?) throws -> ProfileRun {
        let run = ProfileRun(
            profile: name,
            summary: JSONCDocument.headline(of: loaded.scenario.summary),
            mode: LabMode.current.rawValue,
            radios: loaded.radioNotes,
            seeds: yield.results,
            rules: loaded.rules,
            // The same weather on both sides, or the change is that of the weather.
            baseline: try Self.baseline(of: name)?.restricted(to: yield.results.map(\.seed)),
            irreproducible: yield.irreproducible,
            labFaults: yield.labFaults,
            replayTemplate: replayTemplate
        )
        try Interruption.whole {
            try OutputFolder.write(run, to: folder)
            try RunArchive.add(run, to: archive, context)
        }
        if printsJSON {
            context.console.print(RunJSON.line(of: run))
        } else {
            for (seed, lines) in yield.effects {
                context.console.print("effects of seed \(seed):")
                for line in lines { context.console.print("  \(line)") }
            }
            context.console.print(RunSummaryText(run, isColored: context.console.usesColor).text)
        }
        if !isQuiet {
            let host = yield.results.reduce(Duration.zero) { $0 + .nanoseconds($1.hostNanoseconds) }
            let wall = spent.map { " in \($0.rounded)" } ?? ""
            let count = yield.results.count
            if verified, yield.irreproducible.isEmpty {
                context.console.note(
                    "\(name): \(count == 1 ? "the seed" : "every seed") run again in another "
                        + "process: the same, event by event"
                )
            }
            context.console.note(
                "\(name): \(count) seed\(count == 1 ? "" : "s")\(wall) "
                    + "(\(host.rounded) simulating, \(yield.events) events)"
            )
            context.console.note("report: \(folder)/report.html")
        }
        return run
    }

    /// The committed figures of a profile, if there are any.
    private static func baseline(of profile: String) throws(CommandFailure) -> BudgetBaseline? {
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
