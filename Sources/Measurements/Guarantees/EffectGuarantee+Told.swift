import Quantities
import Trace

/// What the person was told will not happen, and has.
extension EffectGuarantee {
    /// Reports actions that the app called failed although their effect stands at the server.
    ///
    /// Whoever believes it acts again, and has it twice. An app that does not know says that, as
    /// `ActionOutcome.unknown`. An error that an action threw is held against it where its contract says that
    /// it did nothing then, and the error itself claims more than that no answer came.
    func reportToldFailures(at end: SimulationInstant, in checks: GuaranteeChecks) {
        var judged: Set<String> = []
        for entry in checks.ledger.all where checks.scope.needsEffect(entry.action) {
            guard entry.isClaimedUndone, let told = entry.thrown?.at ?? entry.settledAt,
                judged.insert(entry.action.identity).inserted,
                let effect = unclaimedEffect(of: entry, in: checks)
            else { continue }
            var message =
                "the app said at \(told) that \(entry.title) failed (\(entry.claim)), but it "
                + "took effect at the server at \(effect.instant) (\(effect.effect.route))"
            if !entry.action.entity.isEmpty { message += ", on '\(entry.action.entity)'" }
            message += ", and stands at the end, \(end)"
            if let loss = checks.answers.loss(of: effect.effect.request) { message += "; \(loss)" }
            checks.report(
                .exactlyOnce,
                "told",
                entry.action,
                at: end,
                device: entry.device,
                message: message
            )
        }
    }

    /// The last effect of what was called failed; nil if another action accounts for it.
    private func unclaimedEffect(
        of entry: ActionLedger.Entry,
        in checks: GuaranteeChecks
    ) -> Effect? {
        let all = effects(of: entry.action.identity)
        let others = checks.ledger.entries(of: entry.action.identity)
            .filter { !$0.isUpload && !$0.isClaimedUndone }
        guard all.count > others.count, let last = all.last else { return nil }
        // What came after it on the same thing has replaced it: it does not stand any more.
        let isReplaced = checks.ledger.successors(of: entry).contains {
            (effects(of: $0.action.identity).last?.instant ?? .zero) > last.instant
        }
        return isReplaced || checks.answers.isDenied(last.effect.request) ? nil : last
    }
}
