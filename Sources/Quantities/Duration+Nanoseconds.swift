extension Duration {
    /// Nanoseconds in this span, truncated toward zero and saturated at the ends of `Int64`.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carried else { return seconds < 0 ? .min : .max }
        return sum
    }

    /// Seconds as a floating-point number, for figures that leave the simulation; never fed back.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The span as a person writes it: `350 ms`, `12.35 s`, `4 min 10 s`, `1 h 3 min`.
    public var compactText: String {
        let total = wholeNanoseconds
        let sign = total < 0 ? "-" : ""
        let magnitude = total.magnitude
        switch magnitude {
        case 0:
            return "0 s"
        case ..<1_000:
            return "\(sign)\(magnitude) ns"
        case ..<1_000_000:
            return "\(sign)\(Self.decimals(magnitude, scale: 1_000)) us"
        case ..<1_000_000_000:
            return "\(sign)\(Self.decimals(magnitude, scale: 1_000_000)) ms"
        case ..<60_000_000_000:
            return "\(sign)\(Self.decimals(magnitude, scale: 1_000_000_000)) s"
        default:
            return sign + Self.clockText(magnitude)
        }
    }

    private static func clockText(_ nanoseconds: UInt64) -> String {
        let hours = nanoseconds / 3_600_000_000_000
        let minutes = nanoseconds / 60_000_000_000 % 60
        let rest = nanoseconds % 60_000_000_000
        var parts: [String] = []
        if hours > 0 { parts.append("\(hours) h") }
        if minutes > 0 { parts.append("\(minutes) min") }
        if rest > 0 { parts.append("\(decimals(rest, scale: 1_000_000_000)) s") }
        return parts.joined(separator: " ")
    }

    /// At most three decimals, cut, without trailing zeros.
    private static func decimals(_ value: UInt64, scale: UInt64) -> String {
        let whole = value / scale
        let thousandths = value % scale * 1_000 / scale
        guard thousandths > 0 else { return "\(whole)" }
        var digits = String(thousandths + 1_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
