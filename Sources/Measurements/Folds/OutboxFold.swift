import Quantities
import Trace

/// Promised actions without bytes to upload, of all phones: how many, how long, how fast each drains.
struct OutboxFold: MeasurementFold {
    private let scope: GuaranteeScope
    private var phones: [Int: PhoneOutboxFold] = [:]

    init(scope: GuaranteeScope) {
        self.scope = scope
    }

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .actionStarted, .actionPromised, .actionSettled, .serverEffect, .pathChanged:
            phones[record.device, default: PhoneOutboxFold(scope: scope)].observe(record)
        case .fault(_, .healed):
            // Device 0 is the only phone, or a fleet's world: what was done to the server is over for
            // every phone. A phone that has done nothing yet has nothing to drain.
            guard record.device == 0 else {
                phones[record.device]?.observe(record)
                return
            }
            for device in phones.keys.sorted() { phones[device]?.observe(record) }
        default:
            return
        }
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        let touched = phones.sorted { $0.key < $1.key }.map(\.value).filter(\.isTouched)
        guard !touched.isEmpty else { return [] }
        let oldest = touched.map { $0.oldestAge(at: end) }.max() ?? 0
        var readings = [
            MetricReading("outbox.enqueued", count: touched.reduce(0) { $0 + $1.enqueued }),
            MetricReading("outbox.acknowledged", count: touched.reduce(0) { $0 + $1.acknowledged }),
            MetricReading(
                "outbox.dead_lettered",
                count: touched.reduce(0) { $0 + $1.deadLettered }
            ),
            MetricReading("outbox.oldest_age_s", nanoseconds: oldest),
        ]
        let waits = touched.flatMap(\.waits)
        let drains = touched.flatMap { $0.allDrains(at: end) }
        for (name, samples) in [("outbox.promise_to_ack_s", waits), ("outbox.drain_s", drains)]
        where !samples.isEmpty {
            readings.append(
                MetricReading(MetricName(name), samples: samples.map { Double($0) / 1e9 })
            )
        }
        return readings
    }
}
