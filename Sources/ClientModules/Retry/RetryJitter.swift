/// How chance spreads the waits of many clients that failed together.
///
/// With `c` the ceiling of the wait (base, doubled per retry, capped). Formulas: "Exponential Backoff and
/// Jitter", AWS Architecture Blog, and its published simulator.
public enum RetryJitter: String, Sendable, CaseIterable, Codable {
    /// Exactly `c`. Clients that failed together come back together; for tests and single clients.
    case none
    /// U(0, c): the least work for the server.
    case full
    /// c/2 + U(0, c/2): never at once.
    case equal
    /// min(cap, U(base, 3 x the wait before)): spreads wider, forgets the count of retries.
    case decorrelated
}
