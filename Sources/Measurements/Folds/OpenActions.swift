import Quantities
import Trace

/// The promised actions that are in the outbox: promised, and not settled yet.
///
/// What the app reports settles an action. Of kinds whose app reports nothing the first effect at the
/// server does, and it settles the earlier ones of its group too, whose place it took.
struct OpenActions {
    /// An action that was settled, and when it had been promised, if it had.
    struct Settlement {
        let outcome: ActionOutcome
        let promised: SimulationInstant?
    }

    private struct Pending {
        let supersession: String
        var promised: SimulationInstant?
    }

    private let scope: GuaranteeScope
    private var actions: [Int64: Pending] = [:]
    private var open: Set<Int64> = []
    private var byIdentity: [String: [Int64]] = [:]
    private var groups: [String: [Int64]] = [:]
    /// Whether any action of the outbox was started.
    private(set) var isTouched = false

    init(scope: GuaranteeScope) {
        self.scope = scope
    }

    /// How many actions are in the outbox.
    var count: Int { open.count }

    /// When each of them was promised, in no order.
    var promises: [SimulationInstant] { open.compactMap { actions[$0]?.promised } }

    /// Takes in the start of an action.
    mutating func start(_ action: UserAction) {
        guard scope.needsEffect(action) else { return }
        isTouched = true
        actions[action.action] = Pending(supersession: action.supersession)
        guard scope.untoldKinds.contains(action.kind) else { return }
        byIdentity[action.identity, default: []].append(action.action)
        if !action.supersession.isEmpty {
            groups[action.supersession, default: []].append(action.action)
        }
    }

    /// Takes in a promise; false if it is not the outbox's, or was settled before.
    mutating func promise(_ action: Int64, at instant: SimulationInstant) -> Bool {
        guard actions[action] != nil else { return false }
        actions[action]?.promised = instant
        open.insert(action)
        return true
    }

    /// Takes in what the app told; gives what that settles.
    mutating func settle(_ action: Int64, _ outcome: ActionOutcome) -> [Settlement] {
        guard let pending = actions.removeValue(forKey: action) else { return [] }
        open.remove(action)
        return [Settlement(outcome: outcome, promised: pending.promised)]
    }

    /// Takes in an effect at the server; gives what that settles.
    mutating func effect(_ identity: String) -> [Settlement] {
        guard let action = byIdentity[identity]?.first(where: { actions[$0] != nil }),
            let group = actions[action]?.supersession
        else { return [] }
        let replaced = (groups[group] ?? []).filter { $0 < action }
        return replaced.flatMap { settle($0, .superseded) } + settle(action, .acknowledged)
    }
}
