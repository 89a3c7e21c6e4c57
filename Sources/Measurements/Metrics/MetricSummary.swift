/// The statistics of one metric over all seeds, and over the samples within them.
package struct MetricSummary: Sendable, Equatable {
    /// The metric.
    package let name: MetricName
    /// All values, ascending.
    package let sorted: [Double]

    /// Makes a summary of `values`; traps if there are none.
    package init(_ name: MetricName, values: [Double]) {
        precondition(!values.isEmpty, "a summary of '\(name)' has no value")
        self.name = name
        self.sorted = values.sorted()
    }

    /// How many values there are.
    package var count: Int { sorted.count }

    /// One statistic of them.
    package subscript(_ statistic: Statistic) -> Double {
        guard let value = statistic.value(ofSorted: sorted) else {
            preconditionFailure("a summary of '\(name)' has no value")
        }
        return value
    }

    /// Summaries of all metrics that any of the seeds touched, in the order of the catalogue.
    package static func all(of seeds: [SeedResult]) -> [MetricSummary] {
        var values: [MetricName: [Double]] = [:]
        for reading in seeds.lazy.flatMap(\.metrics) {
            values[reading.name, default: []].append(contentsOf: reading.values)
        }
        return values.sorted { $0.key < $1.key }.map { MetricSummary($0.key, values: $0.value) }
    }
}
