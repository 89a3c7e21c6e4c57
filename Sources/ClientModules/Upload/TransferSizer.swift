/// Chooses how much of a file one transfer of the system carries, where the system stops what takes too long.
///
/// A transfer that does not fit into the limit never ends, however often it begins again. The system gives
/// such a one back (`ranOutOfTime`), and the next carries less. What one took, from its hand-over to its
/// answer, has the system's own waits in it. So the rate is at least what that says, and an answer only lets
/// a size grow.
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
    /// one, and still about fits at 50 kbit/s. Below that the first is stopped, and the next is a quarter of it.
    static let slowest: Int64 = 12_500

    /// Makes a sizer for a system that lets a transfer run for `limit`.
    ///
    /// `known` is the size that an earlier launch had come down to.
    public init(limit: Duration, known: Int64? = nil) {
        precondition(limit > .zero, "a transfer that may run for \(limit) carries nothing")
        time = limit / 2
        first = max(1, ChunkSizer.bytes(at: Self.slowest, in: limit / 2))
        next = max(1, min(known ?? first, first))
    }

    /// The least that a transfer carries; below 16 KiB heads outweigh bytes.
    private var least: Int64 { min(16 << 10, first) }

    /// Learns that a transfer of `bytes` was answered after `span`; the next is four times as large at most.
    public mutating func committed(_ bytes: Int64, in span: Duration) {
        let rate = ChunkSizer.rate(of: bytes, in: span)
        let most = next.multipliedReportingOverflow(by: 4)
        let fitting = ChunkSizer.bytes(at: rate, in: time)
        next = max(next, min(fitting, most.overflow ? .max : most.partialValue))
    }

    /// Learns that a transfer was lost with nothing of it kept: half as much next time, down to 16 KiB.
    public mutating func lost() {
        next = max(least, next / 2)
    }

    /// Learns that a transfer of `bytes` was stopped at its limit: a quarter next time, so that a size falls as fast
    /// as it grows.
    public mutating func ranOutOfTime(_ bytes: Int64) {
        next = max(least, min(next, bytes / 4))
    }

    /// Learns that the way to the server is another one: what was measured says nothing of it.
    public mutating func pathChanged() {
        next = min(next, first)
    }
}
