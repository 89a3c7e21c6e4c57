import Quantities

extension MetricUnit {
    /// A value as a person reads it, such as `873.2 J`, `51.9 MB`, `3 min 2 s`, `11.4 %` or `40`.
    ///
    /// Rounded for reading; files carry the full value.
    package func text(for value: Double) -> String {
        guard value.isFinite else { return "none" }
        switch self {
        case .seconds:
            return Self.span(value * 1e9)
        case .milliseconds:
            return Self.span(value * 1e6)
        case .joules:
            return "\(Self.decimal(value)) J"
        case .bytes:
            return ByteCount(Int64(value.rounded())).description
        case .count, .ratio:
            return Self.decimal(value)
        case .percent:
            return "\(Self.decimal(value)) %"
        case .millisecondsPerSecond:
            return "\(Self.decimal(value)) ms/s"
        }
    }

    /// A number with as many decimals as its size deserves: three below 10, one below 1,000.
    package static func decimal(_ value: Double) -> String {
        let magnitude = value.magnitude
        if magnitude >= 1_000 { return grouped(value) }
        return decimal(value, places: magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : 3)
    }

    /// A number rounded half away from zero to `places` decimals, without trailing zeros.
    package static func decimal(_ value: Double, places: Int) -> String {
        var scale: Double = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled < 9e18 else { return "\(value)" }
        let whole = Int64(scaled)
        let sign = value < 0 && whole > 0 ? "-" : ""
        let unit = Int64(scale)
        let rest = whole % unit
        guard rest > 0 else { return "\(sign)\(whole / unit)" }
        var digits = String(unit + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole / unit).\(digits)"
    }

    /// A whole number with commas between thousands, such as `41,580`.
    package static func grouped(_ value: Double) -> String {
        guard value.magnitude < 9e18 else { return "\(value)" }
        let digits = String(Int64(value.magnitude.rounded()))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return value < 0 && text != "0" ? "-\(text)" : text
    }

    /// Nanoseconds as `compactText`, to four digits below a minute and to a tenth of a second above.
    private static func span(_ nanoseconds: Double) -> String {
        guard nanoseconds.magnitude < 9e18 else { return "\(nanoseconds) ns" }
        var grain: Double = 1
        while grain * 10_000 <= nanoseconds.magnitude { grain *= 10 }
        if nanoseconds.magnitude >= 6e10 { grain = 1e8 }
        let rounded = (nanoseconds / grain).rounded() * grain
        return Duration.nanoseconds(Int64(rounded)).compactText
    }
}
