/// A statistic over the values of a metric; percentiles are by nearest rank.
///
/// Nearest rank: the smallest value such that at least p percent of the values are not above it,
/// the value at rank ceil(p * n / 100) of the sorted values. It is always a value that occurred.
package enum Statistic: String, Codable, Sendable, CaseIterable {
    case min
    case mean
    case p50
    case p90
    case p95
    case p99
    case max

    /// The percentile, for those that are one.
    package var percentile: Int? {
        switch self {
        case .p50: 50
        case .p90: 90
        case .p95: 95
        case .p99: 99
        case .min, .mean, .max: nil
        }
    }

    /// The fewest values of which this percentile is not simply the largest: 20 for p95.
    ///
    /// ceil(p * n / 100) = n for every n below 100 / (100 - p) + 1; at n = 20 the 95th percentile
    /// is rank 19.
    package var smallestUsefulCount: Int {
        guard let percentile else { return 1 }
        return (100 + (100 - percentile) - 1) / (100 - percentile)
    }

    /// The statistic of `sorted`, which is in ascending order; `nil` if there are no values.
    package func value(ofSorted sorted: [Double]) -> Double? {
        guard let first = sorted.first, let last = sorted.last else { return nil }
        if let percentile {
            return sorted[(percentile * sorted.count + 99) / 100 - 1]
        }
        switch self {
        case .min: return first
        case .max: return last
        default: return sorted.reduce(0, +) / Double(sorted.count)
        }
    }

    /// The statistic of `values` in any order.
    package func value(of values: [Double]) -> Double? {
        value(ofSorted: values.sorted())
    }
}
