import Lab
import Measurements
import SimulationKernel

/// Compares two runs of a seed in two processes, and finds the first event in which they differ.
struct ReproductionCheck {
    let sweep: SeedSweep

    /// Sentences about how the runs differ; none if they do not.
    func compare(
        _ seed: UInt64,
        _ first: WorkerPool.Answer,
        _ second: WorkerPool.Answer
    ) throws -> [String] {
        switch (first, second) {
        case (.line(let one), .line(let other)):
            guard let left = SeedSweep.decode(one), let right = SeedSweep.decode(other),
                left.labFault == nil, right.labFault == nil
            else { return [] }
            return try compare(seed, left, right)
        case (.died, .died):
            return []
        default:
            return ["seed \(seed) crashed in one run and not in the other"]
        }
    }

    private func compare(
        _ seed: UInt64,
        _ first: SeedAnswer,
        _ second: SeedAnswer
    ) throws -> [String] {
        guard
            let window = RunRecording.firstDifference(
                (first.fingerprint, first.checkpoints),
                (second.fingerprint, second.checkpoints)
            )
        else { return [] }
        let range = "kernel events \(window.lowerBound) and \(window.upperBound) of \(first.events)"
        var lines = ["seed \(seed) gave two different runs; they part between \(range)"]
        let fresh = { try record(seed, $0, runsBefore: 0) }
        if let found = try Divergence.locate(window, first: fresh, second: fresh) {
            lines += found.lines
        } else if let found = try Divergence.locate(
            window,
            first: fresh,
            second: { try record(seed, $0, runsBefore: 1) }
        ) {
            lines.append("in a fresh process it is the same each time, but not after another run")
            lines += found.lines
        } else {
            lines.append("alone it was the same each time: a static keeps what other seeds left")
        }
        return [lines.joined(separator: "\n    ")]
    }

    /// Records a window of the seed's run in a fresh process, after some runs of the same seed.
    private func record(
        _ seed: UInt64,
        _ window: Range<UInt64>,
        runsBefore: Int
    ) throws -> RunRecording? {
        var order = SeedOrder(seed: seed)
        order.recordedFrom = window.lowerBound
        order.recordedTo = window.upperBound
        let orders = Array(repeating: SeedOrder(seed: seed), count: runsBefore) + [order]
        let lines = try orders.map { try SeedSweep.encode($0) }
        let answers = try sweep.pool().run(lines, jobs: 1) { _, _ in }
        guard case .line(let line) = answers.last else { return nil }
        return SeedSweep.decode(line)?.recording
    }
}
