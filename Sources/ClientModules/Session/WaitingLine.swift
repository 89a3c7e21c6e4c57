import Foundation
import Synchronization

/// Those who wait for one and the same thing; it goes on without them when they leave.
final class WaitingLine: Sendable {
    private struct Waiter {
        var number: Int
        var continuation: UnsafeContinuation<Void, any Error>
    }

    private struct State {
        var waiters: [Waiter] = []
        var next = 0
        /// Whose task was cancelled before they had come to wait.
        var leftEarly: Set<Int> = []
        /// How often it came.
        var rounds = 0
    }

    private let state = Mutex(State())

    /// How often it has come so far.
    var rounds: Int { state.withLock { $0.rounds } }
    /// Whether nobody waits.
    var isEmpty: Bool { state.withLock { $0.waiters.isEmpty } }

    /// Waits until it comes for the next time after `rounds`; `joined` is told when the wait begins.
    ///
    /// Throws what `end` was given, or `URLError.cancelled` when the calling task is cancelled.
    func wait(after rounds: Int, joined: @Sendable () -> Void) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        defer { state.withLock { _ = $0.leftEarly.remove(number) } }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                join(number, after: rounds, continuation)
                joined()
            }
        } onCancel: {
            leave(number)
        }
    }

    /// It came, or failed: everybody hears of it, in the order in which they came.
    func end(_ result: Result<Void, URLError>) {
        let waiters = state.withLock { state in
            if case .success = result { state.rounds += 1 }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(with: result.mapError { $0 }) }
    }

    private func join(
        _ number: Int,
        after rounds: Int,
        _ continuation: UnsafeContinuation<Void, any Error>
    ) {
        let answer: Result<Void, any Error>? = state.withLock { state in
            guard state.leftEarly.remove(number) == nil else {
                return .failure(URLError(.cancelled))
            }
            guard state.rounds == rounds else { return .success(()) }
            state.waiters.append(Waiter(number: number, continuation: continuation))
            return nil
        }
        if let answer { continuation.resume(with: answer) }
    }

    private func leave(_ number: Int) {
        let left: Waiter? = state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                state.leftEarly.insert(number)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        left?.continuation.resume(throwing: URLError(.cancelled))
    }
}
