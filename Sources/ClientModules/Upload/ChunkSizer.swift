import Quantities

/// Chooses how much of a file the next request carries, so that it takes a chosen time at the measured rate.
///
/// A chunk that takes seconds loses little when the line breaks and still spends little on heads.
/// The estimate is of committed bytes over the whole exchange, round trip and all, because that is
/// what the next chunk will pay too.
public struct ChunkSizer: Sendable, Equatable {
    /// Smallest and largest chunk.
    public let sizes: ClosedRange<Int64>
    /// How long a chunk should take.
    public let time: ClosedRange<Duration>
    /// Bytes per second that the last chunks were committed at; nil before the first.
    public private(set) var bytesPerSecond: Int64?
    /// What the next chunk carries, unless the file ends before.
    public private(set) var next: Int64
    /// Most that the server takes in one request; nil until it refused one as too large.
    public private(set) var serverLimit: Int64?

    /// The limits that `ChunkedUploader` uses: 256 KiB to 8 MiB, 5 s to 10 s.
    ///
    /// Assumption: at 250 kbit/s the smallest takes 8.4 s, and the largest needs 6.7 Mbit/s to
    /// take 10 s.
    public init(
        sizes: QuantityRange<ByteCount> = QuantityRange(.kibibytes(256), .mebibytes(8)),
        time: QuantityRange<Duration> = QuantityRange(.seconds(5), .seconds(10))
    ) {
        precondition(
            sizes.lower > .zero,
            "a chunk of \(sizes.lower.bytes) bytes uploads nothing"
        )
        precondition(time.lower > .zero, "a chunk cannot take \(time.lower)")
        self.sizes = sizes.lower.bytes...sizes.upper.bytes
        self.time = time.lower...time.upper
        next = sizes.lower.bytes
    }

    /// Learns that `bytes` were committed in `span`.
    ///
    /// The estimate moves halfway to each new sample (assumption), and a size grows fourfold at
    /// most, so that one lucky chunk does not bet eight megabytes. A size that still fits the time
    /// stays.
    public mutating func committed(_ bytes: Int64, in span: Duration) {
        let sample = Self.rate(of: bytes, in: span)
        let rate = max(1, bytesPerSecond.map { ($0 + sample) / 2 } ?? sample)
        bytesPerSecond = rate
        let lowest = Self.bytes(at: rate, in: time.lowerBound)
        let highest = Self.bytes(at: rate, in: time.upperBound)
        guard next < lowest || next > highest else { return }
        choose(min((lowest + highest) / 2, next.multipliedReportingOverflow(by: 4).partialValue))
    }

    /// Learns that a chunk was lost with nothing of it kept: half as much next time.
    public mutating func lost() {
        bytesPerSecond = bytesPerSecond.map { max(1, $0 / 2) }
        choose(next / 2)
    }

    /// Learns that the server refused `bytes` as too large; false when no smaller chunk is worth it.
    ///
    /// The server's limit goes below `sizes`, down to 16 KiB (assumption: under that, the heads
    /// outweigh the bytes).
    public mutating func refusedAsTooLarge(_ bytes: Int64) -> Bool {
        let half = bytes / 2
        guard half >= min(16 << 10, sizes.lowerBound) else { return false }
        serverLimit = half
        choose(next)
        return true
    }

    /// Learns that the way to the server is another one: what was measured says nothing of it.
    public mutating func pathChanged() {
        bytesPerSecond = nil
        choose(sizes.lowerBound)
    }

    private mutating func choose(_ size: Int64) {
        let clamped = min(max(size, sizes.lowerBound), sizes.upperBound)
        next = min(clamped, serverLimit ?? clamped)
    }

    /// Bytes per second.
    static func rate(of bytes: Int64, in span: Duration) -> Int64 {
        scaled(bytes, by: 1_000_000_000, over: max(1, span.wholeNanoseconds))
    }

    /// Bytes in `span` at so many per second.
    static func bytes(at rate: Int64, in span: Duration) -> Int64 {
        scaled(rate, by: span.wholeNanoseconds, over: 1_000_000_000)
    }

    /// value x factor / divisor in 128 bits, saturated.
    private static func scaled(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
        let product = UInt64(value).multipliedFullWidth(by: UInt64(factor))
        guard product.high < UInt64(divisor) else { return .max / 8 }
        let quotient = UInt64(divisor).dividingFullWidth(product).quotient
        return Int64(min(quotient, UInt64(Int64.max / 8)))
    }
}
