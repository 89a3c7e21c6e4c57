/// A number of bytes.
public struct ByteCount: Comparable, Hashable, Sendable, Codable, AdditiveArithmetic {
    /// Bytes; negative only in arithmetic.
    public var bytes: Int64

    /// Makes a count of `bytes`.
    public init(_ bytes: Int64) {
        self.bytes = bytes
    }

    /// Makes a count of `bytes`.
    public init(_ bytes: Int) {
        self.bytes = Int64(bytes)
    }

    /// Nothing.
    public static let zero = ByteCount(0)

    /// `count` bytes.
    public static func bytes(_ count: Int64) -> ByteCount { ByteCount(count) }

    /// `count` times 1,000 bytes.
    public static func kilobytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_000) }

    /// `count` times 1,000,000 bytes.
    public static func megabytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_000_000) }

    /// `count` times 1,024 bytes.
    public static func kibibytes(_ count: Int64) -> ByteCount { ByteCount(count << 10) }

    /// `count` times 1,048,576 bytes.
    public static func mebibytes(_ count: Int64) -> ByteCount { ByteCount(count << 20) }

    /// Orders counts by size.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

    /// The sum.
    public static func + (left: ByteCount, right: ByteCount) -> ByteCount {
        ByteCount(left.bytes + right.bytes)
    }

    /// The difference.
    public static func - (left: ByteCount, right: ByteCount) -> ByteCount {
        ByteCount(left.bytes - right.bytes)
    }
}

extension ByteCount: CustomStringConvertible {
    /// Bytes with a decimal unit, such as `3.5 MB`; exact below 1,000.
    public var description: String {
        let steps: [(Int64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
        for (scale, unit) in steps where bytes.magnitude >= scale.magnitude {
            let tenths = (bytes * 10 + scale / 2) / scale
            return tenths % 10 == 0
                ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
        }
        return "\(bytes) B"
    }
}
