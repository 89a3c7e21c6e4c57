import CVirtualTime
import Quantities

/// The way back into a suspended task of one incarnation.
///
/// It resumes once; it is inert when its owner is dead. Whoever calls it, the task goes on as its owner.
package final class Resumption<Value: Sendable>: @unchecked Sendable {
    private enum Stage {
        case new
        case waiting
        case resumed
    }

    /// Whose task waits.
    package let incarnation: Incarnation
    private var continuation: UnsafeContinuation<Value, any Error>?
    private var stage = Stage.new
    private var isCancelled = false

    init(incarnation: Incarnation) {
        self.incarnation = incarnation
    }

    /// Whether the task still waits, and its owner lives.
    package var isPending: Bool { stage == .waiting && incarnation.isAlive }

    /// Goes on with `value`; false if the task was resumed before, or its owner is dead.
    @discardableResult
    package func resume(returning value: Value) -> Bool {
        resume(with: .success(value))
    }

    /// Goes on with `error`; false if the task was resumed before, or its owner is dead.
    @discardableResult
    package func resume(throwing error: any Error) -> Bool {
        resume(with: .failure(error))
    }

    private func resume(with result: Result<Value, any Error>) -> Bool {
        guard incarnation.isAlive else { return false }
        let simulation = incarnation.simulation
        guard simulation.admitsThread(of: incarnation) else { return false }
        guard stage == .waiting, let continuation else { return false }
        stage = .resumed
        self.continuation = nil
        incarnation.core.pointee.suspensions -= 1
        if simulation.state.pointee.now_ns > simulation.state.pointee.instant_ns {
            // Code that runs ahead resumes it at its local time, and not at all if the owner dies first.
            _ = simulation.push(
                EventKind.action,
                at: simulation.now,
                owner: incarnation.index
            ) {
                continuation.resume(with: result)
            }
        } else {
            let context = simulation.enter(incarnation.index, lane: LaneCore.none)
            simulation.host { continuation.resume(with: result) }
            simulation.leave(to: context)
        }
        return true
    }

    func wait(with continuation: UnsafeContinuation<Value, any Error>) {
        self.continuation = continuation
        stage = .waiting
        incarnation.core.pointee.suspensions += 1
    }

    /// The suspension of a zombie: nobody will ever resume it.
    func bury(_ continuation: UnsafeContinuation<Value, any Error>) {
        stage = .resumed
    }

    func cancel(_ handler: (Resumption<Value>) -> Void) {
        guard incarnation.isAlive else { return }
        guard !isCancelled else { return }
        isCancelled = true
        guard stage == .waiting else { return }
        handler(self)
    }

    /// A task that was cancelled before it suspended hears of it now.
    func settleCancellation(_ handler: (Resumption<Value>) -> Void) {
        if isCancelled, stage == .waiting { handler(self) }
    }
}
