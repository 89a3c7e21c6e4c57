/// Repeats a change of a database until it holds: a full disk and a locked device pass.
struct StorageRetry: Sendable {
    private let clock: any ClientClock
    private let random: any ClientRandom
    private let policy: RetryPolicy

    /// Makes one that waits as `policy` says, by the clock and the chance of `environment`.
    init(_ environment: ClientEnvironment, _ policy: RetryPolicy) {
        clock = environment.clock
        random = environment.random
        self.policy = policy
    }

    /// Runs `change`, and again after a wait as long as it throws; false when the task was cancelled first.
    ///
    /// `report` hears of each failure. Stays on the caller's actor.
    func untilDone(
        isolation: isolated (any Actor)? = #isolation,
        report: (String) -> Void,
        _ change: () throws -> Void
    ) async -> Bool {
        var failures = 0
        while true {
            do {
                try change()
                return true
            } catch {
                report("\(error)")
            }
            failures += 1
            let wait = policy.wait(beforeRetry: failures, random: random)
            do {
                try await clock.sleep(for: wait)
            } catch {
                return false
            }
        }
    }
}
