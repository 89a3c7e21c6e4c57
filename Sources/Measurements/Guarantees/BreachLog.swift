import Quantities

/// Collects breaches, each once, up to a limit for each guarantee.
struct BreachLog {
    /// More than this many breaches of one guarantee in one seed are counted, not kept.
    static let keptPerGuarantee = 40

    private(set) var breaches: [GuaranteeBreach] = []
    private var kept: [GuaranteeName: Int] = [:]
    private var positions: [Key: Int] = [:]

    private struct Key: Hashable {
        let identity: FailureIdentity
        let subject: String
        let kind: String
    }

    /// Adds `breach`; one of the same `kind` for the same subject only counts.
    mutating func add(_ breach: GuaranteeBreach, kind: String) {
        let key = Key(identity: breach.failureIdentity, subject: breach.subject, kind: kind)
        if let position = positions[key] {
            breaches[position].occurrences += 1
            return
        }
        guard kept[breach.guarantee, default: 0] < Self.keptPerGuarantee else { return }
        kept[breach.guarantee, default: 0] += 1
        positions[key] = breaches.count
        breaches.append(breach)
    }
}
