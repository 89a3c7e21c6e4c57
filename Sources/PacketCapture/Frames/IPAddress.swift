/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable, Comparable {
    /// The first eight bytes of an IPv6 address; zero for IPv4.
    package let high: UInt64
    /// The last eight bytes of an IPv6 address, or an IPv4 address.
    package let low: UInt64
    /// Whether it is an IPv6 address.
    package let isIPv6: Bool

    /// Makes an IPv4 address.
    package init(ipv4: UInt32) {
        high = 0
        low = UInt64(ipv4)
        isIPv6 = false
    }

    /// Makes an IPv6 address.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
        isIPv6 = true
    }

    /// Reads `192.0.2.1` or `2001:db8::1`; nil if it is neither.
    package init?(text: String) {
        if text.contains(":") {
            guard let (high, low) = Self.parseIPv6(text) else { return nil }
            self.init(high: high, low: low)
            return
        }
        guard let value = Self.parseIPv4(text[...]) else { return nil }
        self.init(ipv4: value)
    }

    /// Orders IPv4 before IPv6, then by number.
    package static func < (left: IPAddress, right: IPAddress) -> Bool {
        if left.isIPv6 != right.isIPv6 { return right.isIPv6 }
        return (left.high, left.low) < (right.high, right.low)
    }

    private static func parseIPv4(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let byte = UInt8(part) else {
                return nil
            }
            value = value << 8 | UInt32(byte)
        }
        return value
    }

    private static func parseIPv6(_ text: String) -> (UInt64, UInt64)? {
        let halves = text.components(splitBy: "::")
        guard halves.count <= 2 else { return nil }
        guard let head = groups(halves[0]) else { return nil }
        var all = head
        if halves.count == 2 {
            guard let tail = groups(halves[1]), head.count + tail.count < 8 else { return nil }
            all += Array(repeating: 0, count: 8 - head.count - tail.count) + tail
        }
        guard all.count == 8 else { return nil }
        let high = all[0..<4].reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
        let low = all[4..<8].reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
        return (high, low)
    }

    private static func groups(_ text: Substring) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let value = parseIPv4(part) else { return nil }
                groups += [UInt16(value >> 16), UInt16(value & 0xFFFF)]
                continue
            }
            guard part.count <= 4, part.allSatisfy(\.isHexDigit),
                let value = UInt16(part, radix: 16)
            else { return nil }
            groups.append(value)
        }
        return groups
    }
}

extension IPAddress: CustomStringConvertible {
    /// The usual text; IPv6 with its longest run of zeros shortened (RFC 5952).
    package var description: String {
        guard isIPv6 else {
            return [24, 16, 8, 0].map { String(low >> $0 & 0xFF) }.joined(separator: ".")
        }
        let groups =
            [48, 32, 16, 0].map { UInt16(high >> $0 & 0xFFFF) }
            + [48, 32, 16, 0].map { UInt16(low >> $0 & 0xFFFF) }
        var best = 0..<0
        var start = 0
        for index in 0...8 where index == 8 || groups[index] != 0 {
            if index - start > max(best.count, 1) { best = start..<index }
            start = index + 1
        }
        let hex = groups.map { String($0, radix: 16) }
        guard !best.isEmpty else { return hex.joined(separator: ":") }
        return hex[..<best.lowerBound].joined(separator: ":") + "::"
            + hex[best.upperBound...].joined(separator: ":")
    }
}

extension String {
    /// The parts between occurrences of `separator`, empty ones too.
    fileprivate func components(splitBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
