import Quantities
import Trace

/// `outbox.exactly_once` and `outbox.in_order`: effects at the server against what was asked for.
final class EffectGuarantee {
    /// One effect at the server.
    struct Effect {
        let instant: SimulationInstant
        let effect: ServerEffect
    }

    private var effects: [String: [Effect]] = [:]
    /// Effects that no action asked for so far, in order.
    private var strangers: [(device: Int, first: Effect)] = []
    private var strangerCounts: [String: Int] = [:]
    /// Routes that have carried an effect of an action: a stranger on one of them is a phantom.
    private var actionRoutes: Set<String> = []
    /// The latest action that took effect on each entity.
    private var latest: [String: Int64] = [:]

    /// How many effects `identity` has had.
    func effectCount(of identity: String) -> Int { effects[identity]?.count ?? 0 }

    /// Takes in an effect; reports a second one and one out of order at once.
    func observe(_ effect: ServerEffect, record: TraceRecord, in checks: GuaranteeChecks) {
        let noted = Effect(instant: record.instant, effect: effect)
        let entries = checks.ledger.entries(of: effect.identity).filter { !$0.isUpload }
        guard !entries.isEmpty else {
            stranger(noted, device: record.device)
            return
        }
        actionRoutes.insert(effect.route)
        effects[effect.identity, default: []].append(noted)
        let all = effects[effect.identity] ?? []
        checks.story.link(effect.request, to: effect.identity)
        checks.story.note(
            "took effect at the server (\(effect.route)\(all.count > 1 ? ", again" : ""))",
            of: effect.identity,
            at: record.instant
        )
        guard all.count <= entries.count else {
            checks.counts.duplicated += 1
            duplicate(entries[entries.count - 1], all, in: checks)
            return
        }
        order(entries[all.count - 1], noted, in: checks)
    }

    private func stranger(_ effect: Effect, device: Int) {
        let identity = effect.effect.identity
        strangerCounts[identity, default: 0] += 1
        if strangerCounts[identity] == 1 { strangers.append((device, effect)) }
    }

    private func duplicate(
        _ entry: ActionLedger.Entry,
        _ all: [Effect],
        in checks: GuaranteeChecks
    ) {
        let first = all[all.count - 2]
        let second = all[all.count - 1]
        let times = all.count == 2 ? "twice" : "\(all.count) times"
        var message =
            "\(entry.title) took effect \(times) at the server: at \(first.instant) and at "
            + "\(second.instant) (\(second.effect.route))"
        if let memory = checks.story.memory(of: first.effect.request) {
            if let failure = memory.failure, let ended = memory.ended {
                message +=
                    "; the answer to the first never arrived: request "
                    + "\(first.effect.request) \(failure) at \(ended)"
            } else if memory.ended == nil {
                message += "; the answer to the first had not arrived when it was sent again"
            }
        }
        if first.effect.keyDigest != 0 || second.effect.keyDigest != 0 {
            message +=
                first.effect.keyDigest == second.effect.keyDigest
                ? "; both carried the same idempotency key" : "; the idempotency keys differed"
        }
        checks.report(
            .exactlyOnce,
            "duplicate",
            entry.action,
            at: second.instant,
            device: entry.device,
            message: message
        )
    }

    private func order(
        _ entry: ActionLedger.Entry,
        _ effect: Effect,
        in checks: GuaranteeChecks
    ) {
        let entity = entry.action.entity
        guard !entity.isEmpty else { return }
        guard let before = latest[entity], before > entry.action.action else {
            latest[entity] = entry.action.action
            return
        }
        checks.counts.reordered += 1
        let overtaker = checks.ledger[before]
        let title = overtaker?.title ?? "action \(before)"
        checks.report(
            .inOrder,
            "order",
            entry.action,
            at: effect.instant,
            device: entry.device,
            message: "\(entry.title) was done at \(entry.started), before \(title)"
                + "\(overtaker.map { " at \($0.started)" } ?? ""), but took effect after it, at "
                + "\(effect.instant), on '\(entity)'"
        )
    }

    /// Reports what was lost, and what nobody asked for.
    func finish(at end: SimulationInstant, in checks: GuaranteeChecks) {
        let lost = lostActions(in: checks)
        for entry in lost {
            checks.counts.lost += 1
            checks.report(
                .exactlyOnce,
                "lost",
                entry.action,
                at: end,
                device: entry.device,
                message: Self.lossMessage(entry, end: end)
            )
        }
        anonymous(at: end, in: checks)
    }

    private static func lossMessage(_ entry: ActionLedger.Entry, end: SimulationInstant) -> String {
        let promised = entry.promised.map { " at \($0)" } ?? ""
        var message = "\(entry.title) was promised\(promised) and never took effect at the server"
        if entry.settled == .acknowledged {
            message += ", although the app said at \(entry.settledAt ?? end) that it had"
        } else if entry.settled == .superseded {
            message += "; the app called it superseded, but nothing took its place"
        } else {
            message += " by the end, \(end)"
        }
        return message
    }

    private func lostActions(in checks: GuaranteeChecks) -> [ActionLedger.Entry] {
        var lost: [ActionLedger.Entry] = []
        var owed: [String: Int] = [:]
        for entry in checks.ledger.all
        where entry.promised != nil && checks.scope.needsEffect(entry.action) {
            guard !entry.isToldFailed else { continue }
            let identity = entry.action.identity
            let place = owed[identity, default: 0]
            if place < effectCount(of: identity) {
                owed[identity] = place + 1
                continue
            }
            let isReplaced = checks.ledger.successors(of: entry).contains {
                $0.promised != nil || effectCount(of: $0.action.identity) > 0
            }
            if isReplaced { continue }
            owed[identity] = place + 1
            lost.append(entry)
        }
        return lost
    }

    /// Effects whose identity no action named: matched by number, or phantoms.
    private func anonymous(at end: SimulationInstant, in checks: GuaranteeChecks) {
        let kinds = checks.scope.anonymousKinds
        guard !kinds.isEmpty else {
            for (device, effect) in strangers where actionRoutes.contains(effect.effect.route) {
                phantom(effect, device: device, in: checks)
            }
            return
        }
        let entries = checks.ledger.all.filter {
            kinds.contains($0.action.kind) && $0.action.identity.isEmpty
        }
        let promised = entries.filter { $0.promised != nil && !$0.isToldFailed }
        let possible = entries.filter { !$0.refused }
        for (device, effect) in strangers {
            let count = strangerCounts[effect.effect.identity] ?? 1
            guard count > 1 else { continue }
            checks.counts.duplicated += count - 1
            checks.report(
                .exactlyOnce,
                "duplicate",
                Self.action(of: effect, kinds: kinds),
                at: effect.instant,
                device: device,
                message: "'\(effect.effect.identity)' took effect \(count) times at the server, "
                    + "first at \(effect.instant) (\(effect.effect.route))"
            )
        }
        if strangers.count < promised.count, let last = promised.last {
            let missing = promised.count - strangers.count
            checks.counts.lost += missing
            checks.report(
                .exactlyOnce,
                "lost",
                last.action,
                at: end,
                device: last.device,
                message: "\(missing) of \(promised.count) promised '\(last.action.kind)' never "
                    + "took effect at the server by the end, \(end)"
            )
        }
        for (device, effect) in strangers.dropFirst(possible.count) {
            phantom(effect, device: device, in: checks)
        }
    }

    private func phantom(_ effect: Effect, device: Int, in checks: GuaranteeChecks) {
        checks.report(
            .exactlyOnce,
            "phantom",
            Self.action(of: effect, kinds: []),
            at: effect.instant,
            device: device,
            message: "'\(effect.effect.identity)' took effect at the server at \(effect.instant) "
                + "(\(effect.effect.route)), but nobody asked for it"
        )
    }

    private static func action(of effect: Effect, kinds: Set<String>) -> UserAction {
        UserAction(
            action: 0,
            kind: kinds.min() ?? effect.effect.route,
            identity: effect.effect.identity,
            entity: effect.effect.entity
        )
    }
}
