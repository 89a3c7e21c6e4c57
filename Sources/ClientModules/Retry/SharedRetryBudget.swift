import Synchronization

/// A retry budget that several callers draw from, one for each server.
///
/// Calls that share a server share its budget; calls to unrelated servers must not, or the failure
/// of one takes the retries of the other.
public final class SharedRetryBudget: Sendable {
    private let state: Mutex<RetryBudget>

    /// Shares `budget`.
    public init(_ budget: RetryBudget = RetryBudget()) {
        state = Mutex(budget)
    }

    /// The budget as it is now, to be stored.
    public var current: RetryBudget { state.withLock { $0 } }

    /// Changes the budget in one step.
    public func update<Result: Sendable>(_ change: (inout RetryBudget) -> Result) -> Result {
        state.withLock { budget in change(&budget) }
    }
}
