import Quantities
import Trace

/// Which phase holds when, and what interrupts the path: a value that knows no packets.
struct PathTimeline {
    /// A stretch that was asked for from outside the profile.
    struct Imposition {
        var kind: PathInterruption.Kind
        var end: SimulationInstant
    }

    private let phases: [NetworkPhase]
    private(set) var index = 0
    private(set) var phaseStart: SimulationInstant
    private var gapEnd: SimulationInstant
    private var impositions: [Imposition] = []

    init(_ conditions: NetworkConditions, start: SimulationInstant) {
        phases = conditions.phases
        phaseStart = start
        gapEnd = start + (conditions.phases[0].handover?.gap ?? .zero)
    }

    /// The phase that holds.
    var phase: NetworkPhase { phases[index] }

    /// Enters the next phase if its time has come; true if so.
    mutating func advance(to now: SimulationInstant) -> Bool {
        guard let duration = phase.duration, index + 1 < phases.count,
            phaseStart + duration <= now
        else { return false }
        phaseStart += duration
        index += 1
        gapEnd = max(gapEnd, phaseStart + (phase.handover?.gap ?? .zero))
        return true
    }

    /// Adds a stretch from outside.
    mutating func impose(_ kind: PathInterruption.Kind, until end: SimulationInstant) {
        impositions.append(Imposition(kind: kind, end: end))
    }

    /// Ends all stretches from outside, as when faults heal.
    mutating func liftImpositions() {
        impositions.removeAll()
    }

    /// No route until then.
    mutating func openGap(until end: SimulationInstant) {
        gapEnd = max(gapEnd, end)
    }

    /// What the path does at `now`: down outweighs blackhole, and that a portal.
    mutating func condition(at now: SimulationInstant) -> PathChange.Condition {
        impositions.removeAll { $0.end <= now }
        var kinds = impositions.map(\.kind)
        if gapEnd > now { kinds.append(.down) }
        for interruption in phase.interruptions {
            let start = phaseStart + interruption.at
            if start <= now, now < start + interruption.duration { kinds.append(interruption.kind) }
        }
        if kinds.contains(.down) { return .down }
        if kinds.contains(.blackhole) { return .blackhole }
        return kinds.contains(.captive) ? .captive : .up
    }

    /// The next instant at which something may change; nil if nothing ever does.
    func nextChange(after now: SimulationInstant) -> SimulationInstant? {
        var candidates = impositions.map(\.end)
        candidates.append(gapEnd)
        if let duration = phase.duration, index + 1 < phases.count {
            candidates.append(phaseStart + duration)
        }
        for interruption in phase.interruptions {
            let start = phaseStart + interruption.at
            candidates.append(start)
            candidates.append(start + interruption.duration)
        }
        return candidates.filter { $0 > now && $0 < .distantFuture }.min()
    }
}
