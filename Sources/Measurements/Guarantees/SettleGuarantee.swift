import Quantities
import Trace

/// `settles`: everything that was promised is finished by the end, and says what is stuck.
///
/// Nothing was done to the phone any more since everything had healed: what has not finished by now
/// waits for something that does not come, and what that is, is told.
struct SettleGuarantee {
    /// Reports what is stuck, one breach for each kind of action.
    static func finish(at end: SimulationInstant, in checks: GuaranteeChecks) {
        reportUnreturned(at: end, in: checks)
        var kinds: [String] = []
        var stuck: [String: [ActionLedger.Entry]] = [:]
        var promised: [String: Int] = [:]
        for entry in checks.ledger.all
        where entry.promised != nil && (entry.isUpload || checks.scope.needsEffect(entry.action)) {
            let kind = entry.action.kind
            if promised[kind] == nil { kinds.append(kind) }
            promised[kind, default: 0] += 1
            if !isDone(entry, in: checks) { stuck[kind, default: []].append(entry) }
        }
        for kind in kinds {
            guard let entries = stuck[kind], let first = entries.first else { continue }
            let listed = entries.prefix(4).map { state(of: $0, in: checks) }.joined(separator: ", ")
            let more = entries.count > 4 ? ", and \(entries.count - 4) more" : ""
            checks.report(
                .settles,
                "stuck",
                first.action,
                at: end,
                device: first.device,
                message: "\(entries.count) of \(promised[kind] ?? 0) promised '\(kind)' had not "
                    + "finished by the end, \(end): \(listed)\(more)"
                    + waits(of: first.device, in: checks)
            )
        }
    }

    /// Reports actions that neither returned nor threw, although no kill cut them.
    ///
    /// Only of an app that lives at the end: of that alone it is known what it waits for.
    private static func reportUnreturned(at end: SimulationInstant, in checks: GuaranteeChecks) {
        let open = checks.ledger.all.filter { entry in
            entry.promised == nil && !entry.refused && !entry.isCut
                && checks.waits[entry.device] != nil
        }
        guard let first = open.first else { return }
        let listed = open.prefix(4).map { "\($0.title) (begun at \($0.started))" }
            .joined(separator: ", ")
        let more = open.count > 4 ? ", and \(open.count - 4) more" : ""
        checks.report(
            .settles,
            "unreturned",
            first.action,
            at: end,
            device: first.device,
            message: "\(open.count) of the person's actions had neither returned nor thrown by the "
                + "end, \(end): \(listed)\(more)\(waits(of: first.device, in: checks))"
        )
    }

    private static func waits(of device: Int, in checks: GuaranteeChecks) -> String {
        guard let waits = checks.waits[device], !waits.isEmpty else { return "" }
        return "; the app waits for \(waits.joined(separator: ", "))"
    }

    private static func isDone(_ entry: ActionLedger.Entry, in checks: GuaranteeChecks) -> Bool {
        if entry.settled != nil || entry.refused { return true }
        guard checks.scope.untoldKinds.contains(entry.action.kind) else { return false }
        if hasHappened(entry, in: checks) { return true }
        return checks.ledger.successors(of: entry).contains { hasHappened($0, in: checks) }
    }

    private static func hasHappened(
        _ entry: ActionLedger.Entry,
        in checks: GuaranteeChecks
    ) -> Bool {
        entry.isUpload
            ? checks.uploads.isComplete(entry.action.identity)
            : checks.effects.effectCount(of: entry.action.identity) > 0
    }

    private static func state(of entry: ActionLedger.Entry, in checks: GuaranteeChecks) -> String {
        let promised = entry.promised.map { " (promised at \($0)" } ?? " ("
        let rest = hasHappened(entry, in: checks) ? "; done at the server, not told)" : ")"
        return "'\(entry.action.identity)'\(promised)\(rest)"
    }
}
