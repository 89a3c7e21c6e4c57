import Foundation
import Lab
import Measurements
import Profiles
import Quantities

/// A worker process of a hunt, started anew when it died or has grown.
final class HuntWorker {
    /// What came back.
    enum Reply {
        case answer(HuntAnswer)
        /// The code under test trapped and took the worker along.
        case died(cause: String, lastWords: String)
    }

    private let profile: String
    private let context: CommandContext
    private var process: WorkerProcess?
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init(profile: String, context: CommandContext) {
        self.profile = profile
        self.context = context
    }

    /// Ends the process.
    func end() {
        process?.end()
        process = nil
    }

    /// Asks for one thing and waits.
    ///
    /// Throws a `CommandFailure` when the lab broke or no worker can be started.
    func ask(_ order: HuntOrder) throws -> Reply {
        let worker = try running()
        let line = String(decoding: try encoder.encode(order), as: UTF8.self)
        guard let text = worker.ask(line) else {
            process = nil
            guard case .died(let cause, let words) = worker.epitaph() else {
                return .died(cause: "unknown cause", lastWords: "")
            }
            return .died(cause: cause, lastWords: words)
        }
        if worker.wantsToRetire { end() }
        let answer = try decoder.decode(HuntAnswer.self, from: Data(text.utf8))
        if let fault = answer.labFault {
            throw CommandFailure("onebar: error: \(fault)", code: .internalError)
        }
        return .answer(answer)
    }

    /// Runs one plan; a trap is a broken guarantee like another.
    func run(_ plan: FaultPlan, story: Bool) throws -> TrialOutcome {
        switch try ask(HuntOrder(plan: plan.text, story: story)) {
        case .answer(let answer):
            return answer.outcome ?? TrialOutcome(breaches: [], fates: [], events: 0)
        case .died(let cause, let words):
            return TrialOutcome(
                breaches: [.crash(seed: plan.seed, cause: cause, lastWords: words)],
                fates: plan.faults.map { _ in .fired },
                events: 0
            )
        }
    }

    /// Runs a stretch of the schedule; if a plan of it trapped, finds out which one.
    func run(_ schedule: HuntSchedule, _ range: Range<Int>) throws -> TrialBatch {
        let reply = try ask(HuntOrder(from: range.lowerBound, to: range.upperBound))
        if case .answer(let answer) = reply, let batch = answer.batch { return batch }
        var batch = TrialBatch(from: range.lowerBound)
        for index in range {
            let outcome = try run(schedule.plan(index), story: false)
            batch.runs += 1
            batch.fates.append(outcome.fates)
            batch.breaches = outcome.breaches
            if !outcome.breaches.isEmpty { break }
        }
        return batch
    }

    private func running() throws -> WorkerProcess {
        if let process { return process }
        do {
            let made = try WorkerProcess(
                executable: context.executable,
                arguments: ["hunt-worker", profile],
                environment: WorkerEnvironment.make(context.environment)
            )
            process = made
            return made
        } catch {
            throw CommandFailure(
                "onebar: cannot start worker '\(context.executable)': \(error)",
                code: .internalError
            )
        }
    }
}
