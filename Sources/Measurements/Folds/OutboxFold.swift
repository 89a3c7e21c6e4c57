import Quantities
import Trace

/// Promised actions without bytes to upload: how many, how long, how fast they drain.
struct OutboxFold: MeasurementFold {
    private var actions: OpenActions
    private var enqueued = 0
    private var acknowledged = 0
    private var deadLettered = 0
    private var oldest: Int64 = 0
    private var waits: [Int64] = []
    private var drains: [Int64] = []
    /// Ends of outages that found the outbox filled, and have not seen it empty yet.
    private var outageEnds: [SimulationInstant] = []
    private var lastPromise: SimulationInstant?
    /// How long the last promise took to drain, once it was.
    private var lastDrain: Int64?
    private var isPathUp: [Int: Bool] = [:]

    init(scope: GuaranteeScope) {
        actions = OpenActions(scope: scope)
    }

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .actionStarted(let action):
            actions.start(action)
        case .actionPromised(let action):
            guard actions.promise(action, at: record.instant) else { return }
            enqueued += 1
            lastPromise = record.instant
            lastDrain = nil
        case .actionSettled(let action, let outcome):
            take(actions.settle(action, outcome), at: record.instant)
        case .serverEffect(let effect):
            take(actions.effect(effect.identity), at: record.instant)
        case .pathChanged(let change):
            let wasUp = isPathUp[record.device] ?? true
            isPathUp[record.device] = change.condition == .up
            if !wasUp, change.condition == .up { outageEnded(at: record.instant) }
        case .fault(_, .healed):
            outageEnded(at: record.instant)
        default:
            return
        }
    }

    private mutating func take(
        _ settlements: [OpenActions.Settlement],
        at instant: SimulationInstant
    ) {
        var hadPromise = false
        for settlement in settlements {
            switch settlement.outcome {
            case .acknowledged, .superseded: acknowledged += 1
            case .deadLettered, .rejected, .expired, .sourceUnavailable: deadLettered += 1
            }
            guard let promised = settlement.promised else { continue }
            hadPromise = true
            let age = (instant - promised).wholeNanoseconds
            oldest = max(oldest, age)
            if settlement.outcome == .acknowledged { waits.append(age) }
        }
        guard hadPromise, actions.count == 0 else { return }
        drains += outageEnds.map { (instant - $0).wholeNanoseconds }
        outageEnds = []
        if let lastPromise { lastDrain = (instant - lastPromise).wholeNanoseconds }
    }

    private mutating func outageEnded(at instant: SimulationInstant) {
        if actions.count > 0, outageEnds.last != instant { outageEnds.append(instant) }
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard actions.isTouched else { return [] }
        let stillOpen = actions.promises.map { (end - $0).wholeNanoseconds }
        var readings = [
            MetricReading("outbox.enqueued", count: enqueued),
            MetricReading("outbox.acknowledged", count: acknowledged),
            MetricReading("outbox.dead_lettered", count: deadLettered),
            MetricReading(
                "outbox.oldest_age_s",
                nanoseconds: max(oldest, stillOpen.max() ?? 0)
            ),
        ]
        var drains = drains + outageEnds.map { (end - $0).wholeNanoseconds }
        if let lastPromise {
            drains.append(lastDrain ?? (end - lastPromise).wholeNanoseconds)
        }
        for (name, samples) in [("outbox.promise_to_ack_s", waits), ("outbox.drain_s", drains)]
        where !samples.isEmpty {
            readings.append(
                MetricReading(MetricName(name), samples: samples.map { Double($0) / 1e9 })
            )
        }
        return readings
    }
}
