import Foundation
import Lab
import Measurements
import Quantities
import Synchronization

/// Walks a schedule with several workers until a plan breaks a guarantee or the time is over.
final class HuntSearch: Sendable {
    /// What the search came to.
    struct Result: Sendable {
        /// How many plans ran.
        var runs = 0
        /// The first plan that has not been tried: all before it have.
        var next: Int
        /// Kernel events of all.
        var events: UInt64 = 0
        /// Which single faults fired.
        var coverage: HuntCoverage
        /// The lowest plan that broke a guarantee, and what it broke.
        var found: (index: Int, breach: GuaranteeBreach)?
        /// What went wrong in the lab.
        var failure: CommandFailure?
    }

    private struct State {
        var next: Int
        /// Where the stretches begin that are being walked.
        var begun: Set<Int> = []
        var isOver = false
        var result: Result
    }

    /// Plans a worker is told at once: enough to make the pipe's cost small (measured: 1 of 40 parts).
    private static let stretch = 24

    private let schedule: HuntSchedule
    private let deadline: ContinuousClock.Instant
    private let state: Mutex<State>

    /// Begins with the plan of number `first`.
    init(_ schedule: HuntSchedule, from first: Int, deadline: ContinuousClock.Instant) {
        self.schedule = schedule
        self.deadline = deadline
        let result = Result(next: first, coverage: HuntCoverage(schedule))
        state = Mutex(State(next: first, result: result))
    }

    /// Searches with `jobs` workers; `progress` is told the result so far, one call at a time.
    ///
    /// The plan that is found is the first of the schedule whatever the number of workers: all
    /// stretches before it have been walked to their end.
    func run(
        jobs: Int,
        worker: @escaping @Sendable () -> HuntWorker,
        progress: @escaping @Sendable (Result) -> Void
    ) -> Result {
        let group = DispatchGroup()
        for _ in 0..<jobs {
            let thread = Thread { [self] in
                defer { group.leave() }
                let worker = worker()
                defer { worker.end() }
                walk(worker, progress)
            }
            thread.stackSize = 8 << 20
            group.enter()
            thread.start()
        }
        group.wait()
        return state.withLock { $0.result }
    }

    private func walk(_ worker: HuntWorker, _ progress: (Result) -> Void) {
        while let range = claim() {
            do {
                let batch = try worker.run(schedule, range)
                state.withLock { state in
                    take(batch, of: range, &state)
                    progress(state.result)
                }
            } catch {
                state.withLock { state in
                    state.isOver = true
                    let failure = error as? CommandFailure
                    state.result.failure =
                        failure ?? CommandFailure("onebar: error: \(error)", code: .internalError)
                }
            }
        }
    }

    private func claim() -> Range<Int>? {
        state.withLock { state in
            guard !state.isOver, ContinuousClock.now < deadline else { return nil }
            // The good run goes alone: if it fails, nothing else says anything.
            let end = state.next == 0 ? 1 : state.next + Self.stretch
            state.begun.insert(state.next)
            defer { state.next = end }
            return state.next..<end
        }
    }

    private func take(_ batch: TrialBatch, of range: Range<Int>, _ state: inout State) {
        state.begun.remove(range.lowerBound)
        state.result.next = state.begun.min() ?? state.next
        state.result.runs += batch.runs
        state.result.events += batch.events
        state.result.coverage.add(batch)
        guard let index = batch.failing, let breach = batch.breaches.first else { return }
        state.isOver = true
        if let found = state.result.found, found.index < index { return }
        state.result.found = (index, breach)
    }
}
