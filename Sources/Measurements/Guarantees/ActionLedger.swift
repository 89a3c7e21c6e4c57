import Quantities
import Trace

/// What the person did and was told, by action.
struct ActionLedger {
    /// One action and what became of it.
    struct Entry {
        let action: UserAction
        let device: Int
        let started: SimulationInstant
        var promised: SimulationInstant?
        var refused = false
        /// When the app said by what it threw that it will not happen, and in which words; nil if it said
        /// something else later, or threw what leaves it open.
        var thrown: (at: SimulationInstant, reason: String)?
        /// Whether that took a promise back, as a backup does that was made before it.
        var wasForgotten = false
        /// Whether a kill cut it before it returned or threw.
        var isCut = false
        var settled: ActionOutcome?
        var settledAt: SimulationInstant?

        /// "message 'm12'": the verb's noun and the identity.
        var title: String {
            let noun = action.kind.prefix { $0 != "." }
            return action.identity.isEmpty
                ? "\(noun) number \(action.action)" : "\(noun) '\(action.identity)'"
        }

        /// Whether the person was told that it will not happen.
        var isToldFailed: Bool { toldFailure != nil || refused }

        /// Whether the app claims that it has not happened: whoever believes it does it again.
        var isClaimedUndone: Bool { toldFailure != nil || thrown != nil }

        /// The failure that the app told; nil if it told none.
        var toldFailure: ActionOutcome? {
            switch settled {
            case .deadLettered, .rejected, .expired, .sourceUnavailable: settled
            case .acknowledged, .superseded, .unknown, .cancelled, nil: nil
            }
        }

        /// What the app said of the failure, in a word or in those of the error.
        var claim: String { thrown.map { "it threw \($0.reason)" } ?? toldFailure?.rawValue ?? "" }

        /// Whether the person was told that nobody knows: zero effects are right, and one is.
        var isToldUnknown: Bool { settled == .unknown }

        /// Whether it has bytes to upload.
        var isUpload: Bool { action.size > .zero }
    }

    private var entries: [Int64: Entry] = [:]
    private var order: [Int64] = []
    private var identities: [String: [Int64]] = [:]
    private var groups: [String: [Int64]] = [:]

    /// Takes in what concerns actions.
    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .actionStarted(let action):
            precondition(
                entries[action.action] == nil,
                "action \(action.action) was started twice"
            )
            entries[action.action] = Entry(
                action: action,
                device: record.device,
                started: record.instant
            )
            order.append(action.action)
            if !action.identity.isEmpty {
                identities[action.identity, default: []].append(action.action)
            }
            if !action.supersession.isEmpty {
                groups[action.supersession, default: []].append(action.action)
            }
        case .actionPromised(let number):
            entries[number]?.promised = record.instant
            entries[number]?.thrown = nil
        case .actionRefused(let number, let reason, let saysUndone):
            entries[number]?.refused = true
            if entries[number]?.promised != nil {
                entries[number]?.wasForgotten = true
            } else if saysUndone {
                entries[number]?.thrown = (record.instant, reason)
            }
        case .actionSettled(let number, let outcome):
            entries[number]?.settled = outcome
            entries[number]?.thrown = nil
            entries[number]?.settledAt = record.instant
        default:
            return
        }
    }

    /// The app has died: what neither returned nor threw is cut.
    mutating func cut(device: Int) {
        for number in order {
            guard let entry = entries[number], entry.device == device, entry.promised == nil,
                !entry.refused
            else { continue }
            entries[number]?.isCut = true
        }
    }

    /// The action of that number.
    subscript(_ number: Int64) -> Entry? { entries[number] }

    /// All actions, in the order in which they were started.
    var all: some Sequence<Entry> { order.lazy.compactMap { entries[$0] } }

    /// Actions that carry `identity`, in order.
    func entries(of identity: String) -> [Entry] {
        (identities[identity] ?? []).compactMap { entries[$0] }
    }

    /// Actions after `entry` that take its place; none if it has no group.
    func successors(of entry: Entry) -> [Entry] {
        (groups[entry.action.supersession] ?? [])
            .drop { $0 <= entry.action.action }
            .compactMap { entries[$0] }
    }
}
