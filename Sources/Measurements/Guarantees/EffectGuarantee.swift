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
    /// First effects of identities that no action names, in order.
    private var strangers: [(device: Int, first: Effect)] = []
    /// Routes that have carried an effect of an action: a stranger on one of them is a phantom.
    private var actionRoutes: Set<String> = []
    /// The latest action that took effect on each entity.
    private var latest: [String: Int64] = [:]

    /// How many effects `identity` has had.
    func effectCount(of identity: String) -> Int { effects[identity]?.count ?? 0 }

    /// The effects of `identity`, in order.
    func effects(of identity: String) -> [Effect] { effects[identity] ?? [] }

    /// Takes in an effect; reports a second one and one out of order at once.
    func observe(_ effect: ServerEffect, record: TraceRecord, in checks: GuaranteeChecks) {
        let noted = Effect(instant: record.instant, effect: effect)
        let entries = checks.ledger.entries(of: effect.identity).filter { !$0.isUpload }
        effects[effect.identity, default: []].append(noted)
        let all = effects[effect.identity] ?? []
        checks.story.link(effect.request, to: effect.identity)
        checks.followAnswer(to: effect.request)
        checks.story.note(
            "took effect at the server (\(effect.route)\(all.count > 1 ? ", again" : ""))",
            of: effect.identity,
            at: record.instant
        )
        guard let last = entries.last else {
            stranger(all, device: record.device, in: checks)
            return
        }
        actionRoutes.insert(effect.route)
        guard all.count <= entries.count else {
            duplicate(last.action, last.title, all, device: last.device, in: checks)
            return
        }
        order(entries[all.count - 1], noted, in: checks)
    }

    /// Takes in an effect that no action names: one of an anonymous action, or a phantom.
    private func stranger(_ all: [Effect], device: Int, in checks: GuaranteeChecks) {
        if all.count == 1 {
            strangers.append((device, all[0]))
        } else if !checks.scope.anonymousKinds.isEmpty {
            let action = Self.action(of: all[0], kinds: checks.scope.anonymousKinds)
            duplicate(action, "'\(action.identity)'", all, device: device, in: checks)
        }
    }

    private func duplicate(
        _ action: UserAction,
        _ title: String,
        _ all: [Effect],
        device: Int,
        in checks: GuaranteeChecks
    ) {
        checks.counts.duplicated += 1
        let first = all[all.count - 2]
        let second = all[all.count - 1]
        let times = all.count == 2 ? "twice" : "\(all.count) times"
        var message =
            "\(title) took effect \(times) at the server: at \(first.instant) and at "
            + "\(second.instant) (\(second.effect.route))"
        if let memory = checks.story.memory(of: first.effect.request) {
            if let failure = memory.failure, let ended = memory.ended {
                message +=
                    "; the answer to the first never arrived: request "
                    + "\(first.effect.request) failed: \(failure) at \(ended)"
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
            action,
            at: second.instant,
            device: device,
            message: message
        )
    }

    private func order(
        _ entry: ActionLedger.Entry,
        _ effect: Effect,
        in checks: GuaranteeChecks
    ) {
        let entity = entry.action.entity
        // What a restored phone had forgotten has no place in the order: an earlier phone's backup may bring it back.
        guard !entity.isEmpty, !entry.wasForgotten else { return }
        guard let before = latest[entity], before > entry.action.action else {
            latest[entity] = entry.action.action
            return
        }
        let overtaker = checks.ledger[before]
        // Nor has what came before it an order with it: the restored phone knows of no later one.
        if overtaker?.wasForgotten == true { return }
        checks.counts.reordered += 1
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
        reportToldFailures(at: end, in: checks)
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
            guard !entry.isToldFailed, !entry.isToldUnknown else { continue }
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
        let entries = checks.ledger.all.filter { kinds.contains($0.action.kind) }
        let promised = entries.filter {
            $0.promised != nil && !$0.isToldFailed && !$0.isToldUnknown
        }
        if strangers.count < promised.count, let last = promised.last {
            let missing = promised.count - strangers.count
            checks.counts.lost += missing
            checks.report(
                .exactlyOnce,
                "lost",
                UserAction(action: 0, kind: last.action.kind, identity: ""),
                at: end,
                device: last.device,
                message:
                    "\(missing) of \(promised.count) promised '\(last.action.kind)' actions never "
                    + "took effect at the server by the end, \(end)"
            )
        }
        for (device, effect) in strangers.dropFirst(entries.count) {
            phantom(effect, device: device, in: checks)
        }
    }

    private func phantom(_ effect: Effect, device: Int, in checks: GuaranteeChecks) {
        checks.counts.phantom += 1
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
