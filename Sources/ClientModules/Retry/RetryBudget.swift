import Quantities

/// A token bucket that keeps retries a small share of successful work, whatever fails.
///
/// Each retry takes one token; each success returns `ratio` of one. While all is well there are
/// tokens to spare; in an outage the bucket empties after `capacity` retries and stays empty, so
/// many clients do not multiply the load on a server that is down. Without a bucket, five retries
/// a call are six times the load.
///
/// The value is `Codable`: store it, or a loop of crashes and launches refills it each time.
/// `Outbox` keeps its own in its database.
public struct RetryBudget: Sendable, Equatable, Codable {
    /// What one success returns, as a share of one retry.
    public let ratio: Probability
    /// Most tokens that the bucket can hold.
    public let capacity: Int
    /// Retries that can be had now.
    public var tokens: Double { Double(millionths) / 1e6 }

    /// Millionths of a token, so that no rounding error can pile up.
    private var millionths: Int64

    /// Makes a bucket that is full.
    ///
    /// - Parameters:
    ///   - ratio: 10 % allows one retry for ten successes in the long run (assumption, as gRPC's
    ///     `tokenRatio` of 0.1 in its proposal A6).
    ///   - capacity: retries that a burst may take before successes pay for them.
    public init(ratio: Probability = .percent(10), capacity: Int = 100) {
        precondition(capacity >= 0, "a retry budget cannot hold \(capacity) tokens")
        self.ratio = ratio
        self.capacity = capacity
        millionths = Int64(capacity) * 1_000_000
    }

    /// Makes a bucket that holds what a stored one held, cut to this capacity.
    public init(ratio: Probability, capacity: Int, storedMillionths: Int64) {
        self.init(ratio: ratio, capacity: capacity)
        millionths = min(max(0, storedMillionths), millionths)
    }

    /// What to store: millionths of a token.
    public var storableMillionths: Int64 { millionths }

    /// Takes a token for a retry; false, and nothing taken, when less than one is left.
    public mutating func spend() -> Bool {
        guard millionths >= 1_000_000 else { return false }
        millionths -= 1_000_000
        return true
    }

    /// Returns the share that a success earns.
    public mutating func deposit() {
        let share = 1_000_000 * ratio.numerator / ratio.denominator
        millionths = min(Int64(capacity) * 1_000_000, millionths + Int64(share))
    }
}
