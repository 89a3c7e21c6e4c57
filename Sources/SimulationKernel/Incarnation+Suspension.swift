import CVirtualTime
import Quantities

extension Incarnation {
    /// Returns at `deadline` of simulated time; throws `CancellationError` when the task is cancelled.
    ///
    /// The lab's clocks are made of this. Cost: no allocation on the heap; about a quarter of a
    /// microsecond with the job that it wakes. A zombie sleeps for ever.
    package func sleep(
        until deadline: SimulationInstant,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        guard canAct else { return await sleepForEver() }
        let simulation = simulation
        let handle = simulation.reserveWakeUp(owner: index)
        let record = onebar_add_cancellation(handle.ticket)
        defer { onebar_forget_cancellation(record) }
        try await withUnsafeThrowingContinuation {
            (continuation: UnsafeContinuation<Void, any Error>) in
            simulation.arm(handle, continuation, until: deadline.nanoseconds)
        }
    }

    private func sleepForEver(isolation: isolated (any Actor)? = #isolation) async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// Suspends the running task until the resumption that `body` is given is used.
    ///
    /// `onCancel` runs at most once, as this process, when the task is cancelled before it was resumed; it
    /// should resume. Without it, cancelling does nothing. A zombie that suspends is never heard of again,
    /// and `body` does not run.
    package func suspend<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        onCancel: (@Sendable (Resumption<Value>) -> Void)? = nil,
        _ body: (Resumption<Value>) -> Void
    ) async throws -> Value {
        let resumption = Resumption<Value>(incarnation: self)
        guard canAct else {
            return try await withUnsafeThrowingContinuation { resumption.bury($0) }
        }
        guard let onCancel else {
            return try await withUnsafeThrowingContinuation { continuation in
                resumption.wait(with: continuation)
                body(resumption)
            }
        }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                resumption.wait(with: continuation)
                body(resumption)
                resumption.settleCancellation(onCancel)
            }
        } onCancel: {
            resumption.cancel(onCancel)
        }
    }
}

extension Incarnation {
    /// When its sleeping tasks and its timers are due, the earliest first.
    ///
    /// Cost: a walk over all pending events, for the end of a run.
    package var pendingTimers: [SimulationInstant] {
        guard isAlive else { return [] }
        let timers = simulation.core.pointee.queue.dueTimes { slot in
            slot.owner == index && (slot.kind == EventKind.job || slot.kind == EventKind.wakeUp)
        }
        return timers.sorted().map { SimulationInstant(nanoseconds: $0) }
    }
}
