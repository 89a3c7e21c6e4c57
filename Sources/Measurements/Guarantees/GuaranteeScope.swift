import Quantities
import Trace

/// What the checks must know of a run that its observations do not say.
package struct GuaranteeScope: Sendable {
    /// The seed, for breaches.
    package var seed: UInt64
    /// Names of the declared faults by index, for stories.
    package var faultNames: [String]
    /// Kinds of actions whose effect the server has to see; nil for all that have an identity.
    ///
    /// A call that is answered on the spot, or a row that is only stored, is none of them.
    package var effectKinds: Set<String>?
    /// Kinds of actions whose app reports no outcome: an effect at the server settles them.
    ///
    /// A user's own module does not tell the lab what it told the person.
    package var untoldKinds: Set<String>
    /// Kinds of actions whose identity only the server learns: effects are matched by number.
    ///
    /// As many identities have to take effect as actions were promised, each once, and no more
    /// than were begun. Every effect that no other action names is counted as one of theirs.
    package var anonymousKinds: Set<String>
    /// Whether stories may need requests: where nobody does anything with an identity, none does.
    package var tracksRequests = true

    /// Makes a scope; by default all actions are known by identity and report their outcome.
    package init(
        seed: UInt64,
        faultNames: [String] = [],
        effectKinds: Set<String>? = nil,
        untoldKinds: Set<String> = [],
        anonymousKinds: Set<String> = []
    ) {
        self.seed = seed
        self.faultNames = faultNames
        self.effectKinds = effectKinds
        self.untoldKinds = untoldKinds
        self.anonymousKinds = anonymousKinds
    }

    /// Whether `action` has to take effect at the server, without bytes to upload.
    func needsEffect(_ action: UserAction) -> Bool {
        guard action.size == .zero, !action.identity.isEmpty else { return false }
        return effectKinds?.contains(action.kind) ?? true
    }
}

/// What the checks counted; reported as metrics that cannot have a budget.
package struct GuaranteeCounts: Sendable, Equatable {
    /// Actions that returned: the person was promised that they take effect.
    package var promised = 0
    /// Actions that the person was told will not happen: refused, or given up later.
    package var told = 0
    /// Actions that a kill cut, or that the app gave up without knowing: zero effects are right, and one is.
    package var unknown = 0
    /// Effects that nobody asked for.
    package var phantom = 0
    /// Promised actions that never took effect.
    package var lost = 0
    /// Effects beyond the first of an action.
    package var duplicated = 0
    /// Effects that came before that of an earlier action on the same entity.
    package var reordered = 0
    /// Uploads that finished with other bytes.
    package var corrupt = 0
    /// Times that shown progress fell.
    package var progressRegressions = 0

    /// Makes counts of zero.
    package init() {}

    /// Counts what the person was told of actions.
    mutating func take(_ entries: some Sequence<ActionLedger.Entry>) {
        for entry in entries {
            if entry.isToldFailed {
                told += 1
            } else if entry.isToldUnknown {
                unknown += 1
            } else if entry.promised != nil {
                promised += 1
            } else if entry.isCut {
                unknown += 1
            }
        }
    }
}
