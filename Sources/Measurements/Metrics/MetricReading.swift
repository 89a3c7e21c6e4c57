/// What one seed gave for one metric: a value, or several samples.
package struct MetricReading: Codable, Sendable, Equatable {
    /// The metric.
    package let name: MetricName
    /// One value, or the samples in the order of their instants; never empty.
    package let values: [Double]

    /// Makes a reading of one value.
    package init(_ name: MetricName, _ value: Double) {
        self.init(name, samples: [value])
    }

    /// Makes a reading of samples; traps if there are none or if one is not finite.
    package init(_ name: MetricName, samples: [Double]) {
        precondition(!samples.isEmpty, "a reading of '\(name)' holds no value")
        precondition(
            samples.allSatisfy { $0.isFinite },
            "a reading of '\(name)' holds no number: \(samples)"
        )
        self.name = name
        self.values = samples
    }

    /// The value, or the mean of the samples.
    package var summary: Double {
        values.reduce(0, +) / Double(values.count)
    }
}
