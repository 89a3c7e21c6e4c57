import Foundation

/// Time as a module may know it: a monotonic clock to wait on, a wall clock to print.
///
/// Deadlines and backoff use `now` and `sleep(until:)`; the wall clock jumps and is only for
/// comparing with the server's dates.
public protocol ClientClock: Sendable {
    /// Time since some fixed point; never goes back, and runs on while the device sleeps.
    var now: Duration { get }
    /// Names the boot that `now` counts from: another value means that stored readings of `now` are void.
    var bootIdentifier: String { get }
    /// The wall clock.
    var wallTime: Date { get }
    /// Returns at `deadline` on the `now` scale; throws `CancellationError` when the task is cancelled.
    func sleep(until deadline: Duration) async throws
}

extension ClientClock {
    /// Returns after `span`; throws `CancellationError` when the task is cancelled.
    public func sleep(for span: Duration) async throws {
        try await sleep(until: now + span)
    }
}
