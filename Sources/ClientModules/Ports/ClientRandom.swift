/// Random numbers for jitter and identifiers: the system's in an app, a keyed stream in the lab.
public protocol ClientRandom: Sendable {
    /// 64 random bits.
    func next() -> UInt64
}

extension ClientRandom {
    /// A uniform draw from zero up to and including `ceiling`, in whole nanoseconds.
    public func duration(upTo ceiling: Duration) -> Duration {
        let limit = UInt64(max(0, ceiling.nanosecondsForDraw))
        return .nanoseconds(Int64(next().multipliedFullWidth(by: limit + 1).high))
    }

    /// A version 4 UUID in lower case (RFC 9562).
    public func identifier() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Self.hex(high) + Self.hex(low)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(digits.dropFirst(range.lowerBound).prefix(range.count))
        }
        return parts.joined(separator: "-")
    }

    private static func hex(_ value: UInt64) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

extension Duration {
    fileprivate var nanosecondsForDraw: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
