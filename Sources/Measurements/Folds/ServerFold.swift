import Quantities
import Trace

/// Requests at the server, and the most of them in one window.
struct ServerFold: MeasurementFold {
    private let window: Int64
    private var isTouched = false
    private var requests = 0
    private var bucket: Int64 = -1
    private var inBucket = 0
    private var peak = 0

    init(window: Duration) {
        self.window = window.wholeNanoseconds
        precondition(self.window > 0, "a window of \(window) holds no request")
    }

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .requestStarted:
            isTouched = true
        case .serverRequest:
            isTouched = true
            requests += 1
            let current = record.instant.nanoseconds / window
            if current != bucket {
                bucket = current
                inBucket = 0
            }
            inBucket += 1
            peak = max(peak, inBucket)
        default:
            return
        }
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard isTouched else { return [] }
        return [
            MetricReading("server.requests", count: requests),
            MetricReading("server.peak_requests", count: peak),
        ]
    }
}
