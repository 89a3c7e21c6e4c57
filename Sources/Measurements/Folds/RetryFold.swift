import Quantities
import Trace

/// Attempts against operations.
struct RetryFold: MeasurementFold {
    private var attempts = 0
    private var operations: Set<String> = []

    mutating func observe(_ record: TraceRecord) {
        guard case .requestStarted(let start) = record.observation, !start.operation.isEmpty
        else { return }
        attempts += 1
        operations.insert(start.operation)
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard attempts > 0 else { return [] }
        return [
            MetricReading("retry.attempts", count: attempts),
            MetricReading(
                MetricName("retry.amplification"),
                Double(attempts) / Double(operations.count)
            ),
        ]
    }
}
