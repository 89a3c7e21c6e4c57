import Lab
import Measurements
import Profiles

/// `onebar replay`: runs a saved plan and says whether it still fails, and in the same way.
package enum ReplayCommand: Subcommand {
    package static let name = "replay"
    package static let summary = "runs a saved plan: same failure, another one, or none"
    package static let operands = "PLAN"
    package static let discussion = [
        "PLAN is a file that 'onebar hunt' saved. The first line printed is 'same failure',",
        "'another failure' or 'no failure'. A failure is the same when the guarantee, the entity",
        "it broke for, and the part of the client to blame are the same.",
        "Ends with 3 when a guarantee broke, with 0 when none did, and with 5 when none did and",
        "no fault of the plan found its place any more: then the plan tests nothing.",
    ]
    package static let options = [
        OptionSpec("--story", help: "prints everything that happened in the run"),
        OptionSpec("--quiet", help: "the first line alone"),
    ]

    /// Replays one plan.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard arguments.operands.count == 1, let path = arguments.operands.first else {
            throw CommandFailure.usage(
                arguments.operands.isEmpty ? "nothing to replay" : "a replay takes one plan",
                remedy: "name a plan: onebar replay reports/NAME/settles.plan.json"
            )
        }
        let plan = try read(path)
        if let test = plan.test {
            throw CommandFailure(
                [
                    "\(path): error: the plan belongs to a test, which alone knows the module: \(test)",
                    "  replay it there: ONEBAR_REPLAY=\(ShellText.quoted(path)) SWIFT_DETERMINISTIC_HASHING=1 "
                        + "swift test",
                ],
                code: .badInput
            )
        }
        _ = try ScenarioLoading.load(plan.profile)
        let worker = HuntWorker(profile: plan.profile, context: context)
        defer { worker.end() }
        let outcome = try worker.run(plan, story: true)
        let code = tell(outcome, of: plan, isQuiet: arguments.has("--quiet"), context)
        if arguments.has("--story") {
            for line in outcome.story {
                context.console.print(folding: "\(line.instant)  \(line.text)")
            }
        }
        return code
    }

    private static func read(_ path: String) throws(CommandFailure) -> FaultPlan {
        do {
            return try FaultPlanReader.read(path: path)
        } catch {
            throw ScenarioLoading.failure(of: error)
        }
    }

    private static func tell(
        _ outcome: TrialOutcome,
        of plan: FaultPlan,
        isQuiet: Bool,
        _ context: CommandContext
    ) -> ExitCode {
        let known = plan.failure?.identity
        let same = outcome.breaches.first { $0.failureIdentity == known }
        if let breach = same ?? outcome.breaches.first {
            context.console.print(same == nil ? "another failure" : "same failure")
            if isQuiet { return .guaranteeBroken }
            context.console.print(folding: "\(breach.guarantee) is broken: \(breach.message)")
            if same == nil, let failure = plan.failure {
                context.console.print("the plan was saved for \(failure.identity.guarantee)")
            }
        } else {
            context.console.print("no failure")
        }
        for (entry, fate) in zip(plan.faults, outcome.fates) where !isQuiet {
            context.console.print("  fault \(entry.index + 1) \(fate.rawValue): \(entry.title)")
        }
        guard outcome.breaches.isEmpty else { return .guaranteeBroken }
        guard !plan.struck(outcome.fates) else { return .pass }
        context.console.note(
            "onebar: no fault of the plan found its place: the code has changed; hunt again"
        )
        return .nothingTested
    }
}
