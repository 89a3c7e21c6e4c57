import Quantities
import Trace

/// Promised actions without bytes to upload: how many, how long, how fast they drain.
struct OutboxFold: MeasurementFold {
    /// Kinds whose app reports no outcome: their first effect at the server settles them.
    let untoldKinds: Set<String>
    private var actions: [Int64: Pending] = [:]
    private var open: Set<Int64> = []
    private var byIdentity: [String: [Int64]] = [:]
    private var isTouched = false
    private var enqueued = 0
    private var acknowledged = 0
    private var deadLettered = 0
    private var oldest: Int64 = 0
    private var waits: [Int64] = []
    private var drains: [Int64] = []
    /// Ends of outages that found the outbox filled, and have not seen it empty yet.
    private var outageEnds: [SimulationInstant] = []
    private var lastPromise: SimulationInstant?
    /// How the last promise was drained, once it was.
    private var lastDrain: Int64?
    private var pathIsUp: [Int: Bool] = [:]

    private struct Pending {
        let kind: String
        var promised: SimulationInstant?
    }

    init(untoldKinds: Set<String>) {
        self.untoldKinds = untoldKinds
    }

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .actionStarted(let action):
            guard action.size == .zero, !action.identity.isEmpty else { return }
            isTouched = true
            actions[action.action] = Pending(kind: action.kind)
            if untoldKinds.contains(action.kind) {
                byIdentity[action.identity, default: []].append(action.action)
            }
        case .actionPromised(let action):
            promise(action, at: record.instant)
        case .actionSettled(let action, let outcome):
            settle(action, outcome, at: record.instant)
        case .serverEffect(let effect):
            guard let numbers = byIdentity[effect.identity] else { return }
            if let first = numbers.first(where: { open.contains($0) }) {
                settle(first, .acknowledged, at: record.instant)
            }
        case .pathChanged(let change):
            let wasUp = pathIsUp[record.device] ?? true
            pathIsUp[record.device] = change.condition == .up
            if !wasUp, change.condition == .up { outageEnded(at: record.instant) }
        case .fault(_, .healed):
            outageEnded(at: record.instant)
        default:
            return
        }
    }

    private mutating func promise(_ action: Int64, at instant: SimulationInstant) {
        guard actions[action] != nil else { return }
        actions[action]?.promised = instant
        enqueued += 1
        open.insert(action)
        lastPromise = instant
        lastDrain = nil
    }

    private mutating func settle(
        _ action: Int64,
        _ outcome: ActionOutcome,
        at instant: SimulationInstant
    ) {
        guard let pending = actions.removeValue(forKey: action) else { return }
        switch outcome {
        case .acknowledged, .superseded: acknowledged += 1
        case .deadLettered, .rejected, .expired, .sourceUnavailable: deadLettered += 1
        }
        guard open.remove(action) != nil, let promised = pending.promised else { return }
        let age = (instant - promised).wholeNanoseconds
        oldest = max(oldest, age)
        if outcome == .acknowledged { waits.append(age) }
        if open.isEmpty { emptied(at: instant) }
    }

    private mutating func outageEnded(at instant: SimulationInstant) {
        if !open.isEmpty, outageEnds.last != instant { outageEnds.append(instant) }
    }

    private mutating func emptied(at instant: SimulationInstant) {
        drains += outageEnds.map { (instant - $0).wholeNanoseconds }
        outageEnds = []
        if let lastPromise { lastDrain = (instant - lastPromise).wholeNanoseconds }
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard isTouched else { return [] }
        var oldest = oldest
        for action in open {
            if let promised = actions[action]?.promised {
                oldest = max(oldest, (end - promised).wholeNanoseconds)
            }
        }
        var readings = [
            MetricReading("outbox.enqueued", count: enqueued),
            MetricReading("outbox.acknowledged", count: acknowledged),
            MetricReading("outbox.dead_lettered", count: deadLettered),
            MetricReading("outbox.oldest_age_s", nanoseconds: oldest),
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
