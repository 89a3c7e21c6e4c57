import Quantities
import Trace

/// A small fold over one subject's observations that ends in readings.
protocol MeasurementFold {
    /// Takes in one record; ignores what is not its subject.
    mutating func observe(_ record: TraceRecord)
    /// What it measured by `end`; nothing if the run did not touch its subject.
    func readings(at end: SimulationInstant) -> [MetricReading]
}

extension MetricReading {
    /// A reading of a count.
    init(_ name: String, count: Int) {
        self.init(MetricName(name), Double(count))
    }

    /// A reading of bytes.
    init(_ name: String, bytes: Int64) {
        self.init(MetricName(name), Double(bytes))
    }

    /// A reading of nanoseconds, in seconds.
    init(_ name: String, nanoseconds: Int64) {
        self.init(MetricName(name), Double(nanoseconds) / 1e9)
    }

    /// A reading of energy, in joules.
    init(_ name: String, energy: Energy) {
        self.init(MetricName(name), energy.inJoules)
    }
}
