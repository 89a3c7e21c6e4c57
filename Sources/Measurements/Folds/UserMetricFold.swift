import Quantities
import Trace

/// The person's waits, what the lab's world reports, and what a user's own test measures.
///
/// A measure under a name that the catalogue computes is dropped: the lab's own figure stands.
struct UserMetricFold: MeasurementFold {
    private var waits: [Int64] = []
    private var own: [String: [Double]] = [:]

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .userWaited(let span): waits.append(span.wholeNanoseconds)
        case .measured(let name, let value):
            if value.isFinite, !isReserved(name) { own[name, default: []].append(value) }
        default: return
        }
    }

    private func isReserved(_ name: String) -> Bool {
        MetricCatalogue.definition(of: MetricName(name)).map { !$0.isReported } ?? false
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        var readings = own.map { MetricReading(MetricName($0.key), samples: $0.value) }
        if !waits.isEmpty {
            readings.append(
                MetricReading(
                    MetricName("user.wait_s"),
                    samples: waits.map { Double($0) / 1e9 }
                )
            )
        }
        return readings
    }
}
