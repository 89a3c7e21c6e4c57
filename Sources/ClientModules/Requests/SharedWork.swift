import Foundation
import Synchronization

/// Does work once for all who ask for it, and stops it when the last of them leaves.
///
/// Whoever asks is suspended until the work has ended, or until their task is cancelled. The work
/// itself runs in child tasks of the one that calls `run`: it outlives whoever asked first.
final class SharedWork<Key: Hashable & Sendable, Input: Sendable, Value: Sendable>: Sendable {
    /// Does one piece of work.
    typealias Perform = @Sendable (_ key: Key, _ input: Input) async throws -> Value

    /// What happened to a piece of work.
    enum Event: Sendable {
        case started(Input, RequestTier)
        case joined(Input, RequestTier)
        case cancelled(Input, wasRunning: Bool)
    }

    /// What came of the work, as one of those who asked for it hears it.
    struct Outcome: Sendable {
        var value: Value
        /// Whether it was queued or under way already when they asked.
        var joined: Bool
    }

    private struct Waiter {
        var continuation: UnsafeContinuation<Outcome, any Error>
        var joined: Bool
    }

    private struct State {
        var queue: TieredQueue<Key>
        var inputs: [Int: Input] = [:]
        var abandonments: [Int: WakeSignal] = [:]
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        /// Whose task was cancelled before they had come to wait.
        var leftEarly: Set<Int> = []
        var isRunning = false
    }

    private struct Start: Sendable {
        var job: Int
        var key: Key
        var input: Input
        var tier: RequestTier
        var abandonment: WakeSignal
    }

    private let state: Mutex<State>
    private let wake = WakeSignal()
    private let observer: (@Sendable (Event) -> Void)?

    /// Makes it; nothing starts until `run`.
    init(slots: RequestSlots?, observer: (@Sendable (Event) -> Void)? = nil) {
        state = Mutex(State(queue: TieredQueue(slots: slots)))
        self.observer = observer
    }

    /// The value of the work that is known by `key`; throws what the work threw.
    ///
    /// Throws `URLError.cancelled` when the calling task is cancelled, or when `run` ends.
    func value(of key: Key, input: Input, tier: RequestTier) async throws -> Outcome {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        // Cancelled between the end of the work and here, it left a note that nobody will read.
        defer { state.withLock { _ = $0.leftEarly.remove(waiter) } }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                join(key, input, tier, waiter, continuation)
            }
        } onCancel: {
            leave(waiter)
        }
    }

    /// Makes what is known by `key` at least this urgent; false when nobody waits for it.
    @discardableResult
    func promote(_ key: Key, to tier: RequestTier) -> Bool {
        let isKnown = state.withLock { $0.queue.promote(key, to: tier) }
        if isKnown { wake.raise() }
        return isKnown
    }

    /// How urgent the work is that is known by `key`; nil when nobody waits for it.
    func tier(of key: Key) -> RequestTier? {
        state.withLock { $0.queue.tier(of: key) }
    }

    /// Works until the calling task is cancelled; then whoever waits is told `URLError.cancelled`.
    ///
    /// A second call while one runs returns at once.
    func run(_ perform: @escaping Perform) async {
        let begins = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard begins else { return }
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for start in takeStartable() {
                    observer?(.started(start.input, start.tier))
                    group.addTask { await self.carry(out: start, perform) }
                }
                await wake.wait()
            }
            group.cancelAll()
        }
        stop()
    }

    private func join(
        _ key: Key,
        _ input: Input,
        _ tier: RequestTier,
        _ waiter: Int,
        _ continuation: UnsafeContinuation<Outcome, any Error>
    ) {
        let isNew: Bool? = state.withLock { state in
            guard state.leftEarly.remove(waiter) == nil else { return nil }
            let (job, isNew) = state.queue.join(key, waiter: waiter, tier: tier)
            state.waiters[waiter] = Waiter(continuation: continuation, joined: !isNew)
            if isNew { state.inputs[job] = input }
            return isNew
        }
        guard let isNew else { return continuation.resume(throwing: URLError(.cancelled)) }
        if !isNew { observer?(.joined(input, tier)) }
        wake.raise()
    }

    private func leave(_ waiter: Int) {
        var event: Event?
        var abandonment: WakeSignal?
        let left: Waiter? = state.withLock { state in
            guard let left = state.waiters.removeValue(forKey: waiter) else {
                state.leftEarly.insert(waiter)
                return nil
            }
            switch state.queue.leave(waiter) {
            case .unknown, .othersWait:
                break
            case .forgotten(let job):
                event = state.inputs.removeValue(forKey: job).map {
                    .cancelled($0, wasRunning: false)
                }
            case .abandoned(let job):
                event = state.inputs[job].map { .cancelled($0, wasRunning: true) }
                abandonment = state.abandonments[job]
            }
            return left
        }
        abandonment?.raise()
        if let event { observer?(event) }
        left?.continuation.resume(throwing: URLError(.cancelled))
        wake.raise()
    }

    private func takeStartable() -> [Start] {
        state.withLock { state in
            state.queue.takeStartable().compactMap { number in
                guard let job = state.queue[number], let input = state.inputs[number] else {
                    return nil
                }
                let signal = WakeSignal()
                state.abandonments[number] = signal
                return Start(
                    job: number,
                    key: job.key,
                    input: input,
                    tier: job.tier,
                    abandonment: signal
                )
            }
        }
    }

    private func carry(out start: Start, _ perform: @escaping Perform) async {
        let result: Result<Value, any Error>
        do {
            let value = try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask { try await perform(start.key, start.input) }
                group.addTask {
                    await start.abandonment.wait()
                    return nil
                }
                // The first child to end decides; the other is cancelled and awaited.
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
            result = value.map { .success($0) } ?? .failure(URLError(.cancelled))
        } catch {
            result = .failure(error)
        }
        end(start.job, with: result)
    }

    private func end(_ job: Int, with result: Result<Value, any Error>) {
        let waiters = state.withLock { state in
            state.inputs[job] = nil
            state.abandonments[job] = nil
            return state.queue.finish(job).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters {
            waiter.continuation.resume(
                with: result.map { Outcome(value: $0, joined: waiter.joined) }
            )
        }
        wake.raise()
    }

    private func stop() {
        let left = state.withLock { state in
            state.isRunning = false
            return state.queue.remaining
        }
        for job in left { end(job, with: .failure(URLError(.cancelled))) }
    }
}
