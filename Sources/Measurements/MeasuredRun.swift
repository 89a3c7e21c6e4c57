/// All metrics of one seed, in the order of the catalogue; what a run did not touch is absent.
package struct MeasuredRun: Codable, Sendable, Equatable {
    /// The readings.
    package let readings: [MetricReading]

    /// Makes a run of `readings`, in any order; traps if a metric occurs twice.
    package init(_ readings: [MetricReading]) {
        self.readings = readings.sorted { $0.name < $1.name }
        for (left, right) in zip(self.readings, self.readings.dropFirst()) {
            precondition(left.name != right.name, "metric '\(left.name)' was measured twice")
        }
    }

    /// The samples of `name`, or `nil` if the run did not touch it.
    package subscript(samples name: MetricName) -> [Double]? {
        readings.first { $0.name == name }?.values
    }

    /// The value of `name`, or the mean of its samples; `nil` if the run did not touch it.
    package subscript(_ name: String) -> Double? {
        readings.first { $0.name.text == name }?.summary
    }
}
