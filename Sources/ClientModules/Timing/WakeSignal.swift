import Synchronization

/// Wakes the one task that waits; a call that comes early is remembered, several count as one.
final class WakeSignal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: UnsafeContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Wakes the waiter, or lets the next wait return at once.
    func raise() {
        let waiter = state.withLock { state in
            state.isRaised = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Returns when the signal was raised since the last wait, or the task is cancelled.
    ///
    /// One task at a time may wait.
    func wait() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                let isRaised = state.withLock { state in
                    if state.isRaised {
                        state.isRaised = false
                        return true
                    }
                    precondition(state.waiter == nil, "two tasks wait for one signal")
                    state.waiter = continuation
                    return false
                }
                if isRaised { continuation.resume() }
            }
        } onCancel: {
            raise()
        }
    }

    /// Returns when the signal was raised, at `deadline` on the clock's scale, or on cancellation.
    func wait(until deadline: Duration?, clock: any ClientClock) async {
        guard let deadline else { return await wait() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // Cancelled means that the signal came first: then there is nobody to wake.
                guard (try? await clock.sleep(until: deadline)) != nil else { return }
                self.raise()
            }
            await wait()
            group.cancelAll()
        }
    }
}
