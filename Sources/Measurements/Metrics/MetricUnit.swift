/// The unit of a metric, as its name ends and as reports carry it.
package enum MetricUnit: String, Codable, Sendable, CaseIterable {
    /// Seconds.
    case seconds = "s"
    /// Milliseconds.
    case milliseconds = "ms"
    /// Joules.
    case joules = "J"
    /// Bytes.
    case bytes = "B"
    /// Things that are counted.
    case count = "1"
    /// Hundredths.
    case percent = "%"
    /// A quotient of two counts.
    case ratio = "ratio"
    /// Milliseconds in each second.
    case millisecondsPerSecond = "ms/s"

    /// The unit that a user's own metric carries in its name; a count if its name carries none.
    package init(suffixOf name: String) {
        let suffixes: [(String, MetricUnit)] = [
            ("_ms_per_s", .millisecondsPerSecond), ("_ms", .milliseconds), ("_bytes", .bytes),
            ("_pct", .percent), ("_pct_per_day", .percent), ("_ratio", .ratio), ("_j", .joules),
            ("_s", .seconds),
        ]
        self = suffixes.first { name.hasSuffix($0.0) }?.1 ?? .count
    }
}
