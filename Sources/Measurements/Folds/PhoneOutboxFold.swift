import Quantities
import Trace

/// The promised actions of one phone.
struct PhoneOutboxFold {
    private var actions: OpenActions
    /// Promises.
    private(set) var enqueued = 0
    /// Promises that were kept, or replaced by a later one.
    private(set) var acknowledged = 0
    /// Promises that the person was told are off.
    private(set) var deadLettered = 0
    private var oldest: Int64 = 0
    /// Nanoseconds from each promise to its acknowledgement.
    private(set) var waits: [Int64] = []
    private var drains: [Int64] = []
    /// Ends of outages that found the outbox filled, and have not seen it empty yet.
    private var outageEnds: [SimulationInstant] = []
    private var lastPromise: SimulationInstant?
    /// How long the last promise took to drain, once it was.
    private var lastDrain: Int64?
    private var isPathUp = true

    /// Whether the phone has done anything that is the outbox's.
    var isTouched: Bool { actions.isTouched }

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
            let wasUp = isPathUp
            isPathUp = change.condition == .up
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
            case .deadLettered, .rejected, .expired, .sourceUnavailable, .unknown:
                deadLettered += 1
            case .cancelled: break
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

    /// The longest that a promise stayed open, in nanoseconds.
    func oldestAge(at end: SimulationInstant) -> Int64 {
        max(oldest, actions.promises.map { (end - $0).wholeNanoseconds }.max() ?? 0)
    }

    /// From the end of each outage, and from the last promise, until nothing was left; in nanoseconds.
    func allDrains(at end: SimulationInstant) -> [Int64] {
        var drains = drains + outageEnds.map { (end - $0).wholeNanoseconds }
        if let lastPromise {
            drains.append(lastDrain ?? (end - lastPromise).wholeNanoseconds)
        }
        return drains
    }
}
