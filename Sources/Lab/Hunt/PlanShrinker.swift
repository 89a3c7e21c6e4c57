import Measurements
import Profiles
import Quantities

/// Makes a plan smaller while it provokes the same failure, until every fault in it is necessary.
///
/// Delta debugging (Zeller and Hildebrandt, 2002: ddmin) over the faults, then each fault made
/// milder. What counts as the same is the failure's identity, so that shrinking does not slip to
/// another bug. Runs at most `limit` plans; what is left then may not be minimal, and says so.
package struct PlanShrinker {
    /// Runs one plan.
    package typealias Trial = (FaultPlan) throws -> TrialOutcome

    /// The failure that has to stay.
    package let identity: FailureIdentity
    /// Most plans that are run.
    package let limit: Int
    /// How many plans were run.
    package private(set) var runs = 0
    private let trial: Trial

    /// Makes a shrinker; `trial` runs a plan.
    package init(
        _ identity: FailureIdentity,
        limit: Int = 1_000,
        trial: @escaping Trial
    ) {
        self.identity = identity
        self.limit = limit
        self.trial = trial
    }

    /// Whether no fault can be taken out any more: false when the limit ended the work.
    package var isFinished: Bool { runs < limit }

    /// The smallest plan it finds; `plan` itself if that does not fail in this way.
    package mutating func shrink(_ plan: FaultPlan) throws -> FaultPlan {
        guard try fails(plan, plan.faults) else { return plan }
        if try fails(plan, []) { return plan.with([]) }
        var faults = try withoutIdle(plan)
        faults = try minimized(plan, faults)
        faults = try milder(plan, faults)
        // A milder fault may have made another one unnecessary.
        return plan.with(try withoutUnnecessary(plan, faults))
    }

    private mutating func fails(_ plan: FaultPlan, _ faults: [FaultEntry]) throws -> Bool {
        guard runs < limit else { return false }
        runs += 1
        return try trial(plan.with(faults)).shows(identity)
    }

    /// Takes out at once what never came due.
    private mutating func withoutIdle(_ plan: FaultPlan) throws -> [FaultEntry] {
        let fates = try trial(plan).fates
        let busy = zip(plan.faults, fates).filter { $0.1 == .fired }.map(\.0)
        guard busy.count < plan.faults.count, try fails(plan, busy) else { return plan.faults }
        return busy
    }

    private mutating func minimized(
        _ plan: FaultPlan,
        _ start: [FaultEntry]
    ) throws -> [FaultEntry] {
        var faults = start
        var parts = 2
        while faults.count >= 2 {
            let pieces = Self.split(faults, into: parts)
            if let piece = try pieces.first(where: { try fails(plan, $0) }) {
                faults = piece
                parts = 2
                continue
            }
            let rests = pieces.indices.map { index in
                pieces.enumerated().filter { $0.offset != index }.flatMap(\.element)
            }
            if parts > 2, let rest = try rests.first(where: { try fails(plan, $0) }) {
                faults = rest
                parts = max(2, parts - 1)
                continue
            }
            guard parts < faults.count else { break }
            parts = min(faults.count, parts * 2)
        }
        return faults
    }

    private static func split(_ faults: [FaultEntry], into parts: Int) -> [[FaultEntry]] {
        (0..<parts).map { part in
            Array(faults[faults.count * part / parts..<faults.count * (part + 1) / parts])
        }
    }

    /// Each fault by something simpler that does the same: a kill for a power loss, shorter spans.
    private mutating func milder(
        _ plan: FaultPlan,
        _ start: [FaultEntry]
    ) throws -> [FaultEntry] {
        var faults = start
        for index in faults.indices {
            for effect in faults[index].effect.milder {
                var trial = faults
                trial[index].effect = effect
                guard try fails(plan, trial) else { continue }
                faults = trial
                break
            }
        }
        return faults
    }

    private mutating func withoutUnnecessary(
        _ plan: FaultPlan,
        _ start: [FaultEntry]
    ) throws -> [FaultEntry] {
        var faults = start
        var index = 0
        while faults.count > 1, index < faults.count {
            var trial = faults
            trial.remove(at: index)
            if try fails(plan, trial) {
                faults = trial
                index = 0
            } else {
                index += 1
            }
        }
        return faults
    }
}

extension FaultEffect {
    /// Simpler effects of the same kind of harm, the simplest first.
    fileprivate var milder: [FaultEffect] {
        switch self {
        case .losePower(let relaunch):
            return [.killProcess(relaunch: relaunch)]
        case .forceQuit(let relaunch):
            return [.killProcess(relaunch: relaunch)]
        case .loseResponse(let bytes, let aftermath) where bytes > 0 || aftermath != .reset:
            return [.loseResponse(afterBytes: 0, .reset)]
        case .suspendLockHolder(let relaunch):
            return [.killProcess(relaunch: relaunch)]
        case .loseRequest(let bytes, let aftermath) where bytes > 0 || aftermath != .reset:
            return [
                .loseRequest(afterBytes: 0, .reset), .loseRequest(afterBytes: bytes, .reset),
            ].filter { $0 != self }
        case .lockFiles(let files, let span):
            return Self.shorter(span).map { .lockFiles(files, for: $0) }
        case .holdDatabase(let name, let span):
            return Self.shorter(span).map { .holdDatabase(name: name, for: $0) }
        case .interruptNetwork(let kind, let span):
            return Self.shorter(span).map { .interruptNetwork(kind, for: $0) }
        case .refuse(let status, let retryAfter, let route, let span):
            return Self.shorter(span).map {
                .refuse(status: status, retryAfter: retryAfter, route: route, for: $0)
            }
        case .fillDisk(let free, let span):
            return Self.shorter(span).map { .fillDisk(free: free, for: $0) }
        case .pressMemory(let level, let span):
            return Self.shorter(span).map { .pressMemory(level, for: $0) }
        default:
            return []
        }
    }

    private static func shorter(_ span: Duration) -> [Duration] {
        [Duration.seconds(1), .seconds(5), .seconds(10)].filter { $0 < span }
    }
}
