import Quantities
import Trace

/// Events that the server published, and what became of them.
struct LiveFold: MeasurementFold {
    private var published = 0
    private var received: Set<Int64> = []
    private var repeated = 0
    private var delays: [Int64] = []
    private var reconnections = 0

    mutating func observe(_ record: TraceRecord) {
        guard case .live(let event) = record.observation else { return }
        switch event {
        case .published:
            published += 1
        case .received(let id, let delay):
            guard received.insert(id).inserted else {
                repeated += 1
                return
            }
            delays.append(delay.wholeNanoseconds)
        case .opened(let times):
            if times > 1 { reconnections += 1 }
        }
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard published > 0 else { return [] }
        var readings = [
            MetricReading("push.events", count: published),
            MetricReading("push.missed", count: published - received.count),
            MetricReading("push.repeated", count: repeated),
            MetricReading("push.reconnections", count: reconnections),
        ]
        if !delays.isEmpty {
            readings.append(
                MetricReading(
                    MetricName("push.delay_ms"),
                    samples: delays.map { Double($0) / 1e6 }
                )
            )
        }
        return readings
    }
}
