import Foundation
import Lab
import Profiles

/// Runs plans that it is told on stdin, one order a line, and answers each with a line on stdout.
///
/// Not for people: `onebar hunt` and `onebar replay` start it, so that code that traps ends a
/// worker and not the hunt.
package enum HuntWorkerCommand: Subcommand {
    package static let name = "hunt-worker"
    package static let summary = "runs plans for 'onebar hunt' (internal)"
    package static let operands = "PROFILE"
    package static let discussion: [String] = []
    package static let options: [OptionSpec] = []

    /// Serves until stdin ends.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard let path = arguments.operands.first else {
            throw CommandFailure.usage("a worker needs a profile", remedy: "use 'onebar hunt'")
        }
        try LabStart.prepare(asWorker: true)
        let trial = PlanTrial(try ScenarioLoading.runner(path))
        var schedule: HuntSchedule?
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        while let line = readLine() {
            let order = try decoder.decode(HuntOrder.self, from: Data(line.utf8))
            let answer = answer(to: order, path, trial, &schedule)
            var text = String(decoding: try encoder.encode(answer), as: UTF8.self)
            if ResidentMemory.bytes > WorkerCommand.retirementBytes {
                text += WorkerProcess.retirementMark
            }
            FileHandle.standardOutput.write(Data((text + "\n").utf8))
        }
        return .pass
    }

    private static func answer(
        to order: HuntOrder,
        _ profile: String,
        _ trial: PlanTrial,
        _ schedule: inout HuntSchedule?
    ) -> HuntAnswer {
        do {
            if order.census { return HuntAnswer(census: try trial.census()) }
            if let text = order.plan {
                let plan = try FaultPlanReader.read(text: text, path: "plan")
                return HuntAnswer(outcome: try trial.run(plan, story: order.story))
            }
            let known = try schedule ?? Self.schedule(profile, trial, census: trial.census())
            schedule = known
            let range = (order.from ?? 0)..<(order.to ?? 0)
            return HuntAnswer(batch: try trial.run(known, range))
        } catch {
            return HuntAnswer(labFault: "\(error)")
        }
    }

    /// The schedule as worker and hunter make it from the same census.
    static func schedule(
        _ profile: String,
        _ trial: PlanTrial,
        census: RunCensus
    ) -> HuntSchedule {
        HuntSchedule(profile: profile, seeds: trial.seeds, census: census)
    }
}
