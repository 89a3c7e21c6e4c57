/// Bits per second, the unit of every rate on a link.
///
/// Zero means that nothing passes.
public struct BitRate: Comparable, Hashable, Sendable, Codable {
    /// Bits per second.
    public let bitsPerSecond: Int64

    /// Makes a rate; traps if negative.
    public init(bitsPerSecond: Int64) {
        precondition(bitsPerSecond >= 0, "a bit rate of \(bitsPerSecond) bit/s is negative")
        self.bitsPerSecond = bitsPerSecond
    }

    /// `count` times 1,000 bits per second.
    public static func kilobitsPerSecond(_ count: Int64) -> BitRate {
        BitRate(bitsPerSecond: count * 1_000)
    }

    /// `count` times 1,000,000 bits per second.
    public static func megabitsPerSecond(_ count: Int64) -> BitRate {
        BitRate(bitsPerSecond: count * 1_000_000)
    }

    /// Faster than anything that is measured here: a transmission takes no time.
    public static let unlimited = BitRate(bitsPerSecond: .max)

    /// Orders rates by speed.
    public static func < (left: BitRate, right: BitRate) -> Bool {
        left.bitsPerSecond < right.bitsPerSecond
    }

    /// Time to clock `size` onto the link, rounded up to a nanosecond; traps at rate zero.
    ///
    /// bytes x 8 / rate.
    public func transmissionTime(of size: ByteCount) -> Duration {
        .nanoseconds(transmissionNanoseconds(bytes: size.bytes))
    }

    /// `transmissionTime(of:)` without the units, for inner loops.
    public func transmissionNanoseconds(bytes: Int64) -> Int64 {
        guard bitsPerSecond != .max else { return 0 }
        precondition(bitsPerSecond > 0, "nothing passes a link of 0 bit/s")
        let bits = UInt64(bytes).multipliedFullWidth(by: 8_000_000_000)
        let (quotient, remainder) = UInt64(bitsPerSecond).dividingFullWidth(bits)
        return Int64(quotient) + (remainder > 0 ? 1 : 0)
    }
}

extension BitRate: CustomStringConvertible {
    /// The rate with a decimal unit, such as `12 Mbps`.
    public var description: String {
        if bitsPerSecond == .max { return "unlimited" }
        if bitsPerSecond % 1_000_000 == 0 { return "\(bitsPerSecond / 1_000_000) Mbps" }
        if bitsPerSecond % 1_000 == 0 { return "\(bitsPerSecond / 1_000) kbps" }
        return "\(bitsPerSecond) bps"
    }
}
