/// Repeats a change of a database until it holds: a full disk and a locked device pass.
struct StorageRetry: Sendable {
    let clock: any ClientClock
    let random: any ClientRandom
    let policy: RetryPolicy

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
