/// Chooses how much of a file one transfer of the system carries, where the system stops what takes too long.
///
/// A transfer that is stopped begins again with its first byte: one that does not fit into the limit
/// never ends, and nobody is told. What one took, from its hand-over to its answer, has the system's
/// own waits in it. So the rate is at least what that says, and a size only grows by it. What the system
/// stops and begins again is told to nobody: `lost()` hears of what the system gave back.
public struct TransferSizer: Sendable, Equatable {
    /// How long a transfer should take at most: half of the limit, for a rate that falls by half.
    public let time: Duration
    /// What the first carries: what fits at 100 kbit/s.
    public let first: Int64
    /// What the next transfer carries, unless the file ends before.
    public private(set) var next: Int64

    /// Bytes per second that are taken for granted before anything was measured.
    ///
    /// Assumption: 100 kbit/s, so that within 10 min the first carries 3.75 MB, which is most photos in
    /// one, and still fits at 50 kbit/s. Below that only a server that keeps what arrived of it gets on.
    static let slowest: Int64 = 12_500

    /// Makes a sizer for a system that lets a transfer run for `limit`.
    public init(limit: Duration) {
        precondition(limit > .zero, "a transfer that may run for \(limit) carries nothing")
        time = limit / 2
        first = max(1, ChunkSizer.bytes(at: Self.slowest, in: limit / 2))
        next = first
    }

    /// Learns that a transfer of `bytes` was answered after `span`; the next is four times as large at most.
    public mutating func committed(_ bytes: Int64, in span: Duration) {
        let rate = ChunkSizer.rate(of: bytes, in: span)
        let most = next.multipliedReportingOverflow(by: 4)
        let fitting = ChunkSizer.bytes(at: rate, in: time)
        next = max(next, min(fitting, most.overflow ? .max : most.partialValue))
    }

    /// Learns that a transfer was lost with nothing of it kept: half as much next time, down to 16 KiB.
    public mutating func lost() {
        next = max(min(16 << 10, first), next / 2)
    }

    /// Learns that the way to the server is another one: what was measured says nothing of it.
    public mutating func pathChanged() {
        next = min(next, first)
    }
}
