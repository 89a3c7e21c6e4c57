import Foundation
import Measurements
import Profiles
import Quantities
import SimulationKernel

/// Runs the seeds of one profile in worker processes and gathers their results.
package struct SeedSweep {
    /// What came of it.
    struct Yield {
        /// Results by seed.
        var results: [SeedResult] = []
        /// What went wrong in the lab itself.
        var labFaults: [String] = []
        /// Seeds that gave two different runs.
        var irreproducible: [String] = []
        /// Kernel events of all runs.
        var events: UInt64 = 0
        /// Numbered effects by seed, if they were asked for.
        var effects: [(seed: UInt64, lines: [String])] = []
    }

    let profile: String
    let context: CommandContext
    let jobs: Int
    var isQuiet: Bool
    /// What a worker is told to change in the profile.
    var overrides: [ProfileOverride] = []
    /// Where answers are kept and taken from.
    var store: SeedStore?

    /// Runs every seed once; with `verify` twice: again in a fresh process, after other seeds.
    func run(_ orders: [SeedOrder], label: String, verify: Bool) throws -> Yield {
        guard verify else { return try judge(orders, answers(to: orders, label: label)) }
        // A run that is to be compared with another is no place for answers of an earlier one.
        let first = try lost(orders, label: label)
        let again = orders.reversed().map { SeedOrder(seed: $0.seed) }
        let second = try lost(again, label: "\(label) again")
        var yield = try judge(orders, first)
        let check = ReproductionCheck(sweep: self)
        for (order, answers) in zip(orders, zip(first, second.reversed())) {
            yield.irreproducible += try check.compare(order.seed, answers.0, answers.1)
        }
        return yield
    }

    /// What came of answers that are there already, in the order of `orders`.
    func judge(_ orders: [SeedOrder], _ answers: [WorkerPool.Answer]) throws -> Yield {
        var yield = Yield()
        for (order, answer) in zip(orders, answers) {
            try take(answer, order, &yield)
        }
        return yield
    }

    /// Answers every order: from the store where it has them, by workers otherwise.
    func answers(to orders: [SeedOrder], label: String) throws -> [WorkerPool.Answer] {
        guard let store else { return try lost(orders, label: label) }
        var answers = orders.map { order in
            store.answer(to: order).map { WorkerPool.Answer.line($0) }
        }
        let open = orders.indices.filter { answers[$0] == nil }
        if open.count < orders.count {
            context.console.note(
                "\(label): \(orders.count - open.count) of \(orders.count) seeds were run before by "
                    + "this executable and are taken from \(store.folder.path)"
            )
        }
        let missing = open.map { orders[$0] }
        Interruption.begin(
            Interruption.Work(
                label: label,
                unit: "seeds",
                done: orders.count - missing.count,
                total: orders.count,
                keptIn: missing.contains { $0.isKeepable } ? store.folder.path : nil
            )
        )
        let fresh = try worked(missing, label: label) { index, answer in
            if case .line(let line) = answer {
                Interruption.whole { store.keep(line, for: missing[index]) }
            }
            Interruption.advance()
        }
        for (index, answer) in zip(open, fresh) { answers[index] = answer }
        return answers.compactMap { $0 }
    }

    /// Answers whose work is lost when it is interrupted.
    private func lost(_ orders: [SeedOrder], label: String) throws -> [WorkerPool.Answer] {
        Interruption.begin(Interruption.Work(label: label, unit: "seeds", total: orders.count))
        return try worked(orders, label: label) { _, _ in Interruption.advance() }
    }

    private func worked(
        _ orders: [SeedOrder],
        label: String,
        answered: @escaping @Sendable (Int, WorkerPool.Answer) -> Void
    ) throws -> [WorkerPool.Answer] {
        guard !orders.isEmpty else { return [] }
        let pool = pool()
        let progress = ProgressLine(
            console: context.console,
            label: label,
            total: orders.count,
            isQuiet: isQuiet
        )
        defer { progress.finish() }
        let lines = try orders.map { try Self.encode($0) }
        return try pool.run(lines, jobs: jobs) { index, answer in
            answered(index, answer)
            progress.advance()
        }
    }

    /// Workers of the profile, each a fresh process.
    func pool() -> WorkerPool {
        WorkerPool(
            executable: context.executable,
            arguments: ["worker", profile] + overrides.flatMap { ["--set", $0.text] },
            environment: WorkerEnvironment.make(context.environment)
        )
    }

    private func take(_ answer: WorkerPool.Answer, _ order: SeedOrder, _ yield: inout Yield) throws
    {
        switch answer {
        case .line(let line):
            guard let decoded = Self.decode(line) else {
                yield.labFaults.append("seed \(order.seed): a worker answered '\(line.prefix(80))'")
                return
            }
            if let problem = decoded.unwritable {
                throw CommandFailure(problem, code: .cannotWrite)
            }
            yield.events += decoded.events
            if order.effects { yield.effects.append((order.seed, decoded.effects)) }
            if let fault = decoded.labFault { yield.labFaults.append(fault) }
            if let result = decoded.result { yield.results.append(result) }
        case .died(let cause, let lastWords):
            yield.results.append(Self.crash(order.seed, cause: cause, lastWords: lastWords))
        }
    }

    static func encode(_ order: SeedOrder) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(order), as: UTF8.self)
    }

    static func decode(_ line: String) -> SeedAnswer? {
        try? JSONDecoder().decode(SeedAnswer.self, from: Data(line.utf8))
    }

    /// A worker that died over a seed: the client's code trapped, which is a finding.
    package static func crash(_ seed: UInt64, cause: String, lastWords: String) -> SeedResult {
        let breach = GuaranteeBreach.crash(seed: seed, cause: cause, lastWords: lastWords)
        return SeedResult(
            seed: seed,
            mode: LabMode.current.rawValue,
            metrics: [],
            breaches: [breach],
            fingerprint: "-",
            virtualEnd: breach.instant
        )
    }
}
