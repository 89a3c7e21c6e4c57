import Quantities

/// A thing that a process does to the world, and in which it can die.
package enum EffectKind: UInt8, Sendable, CaseIterable {
    /// Bytes into a file.
    case write
    /// A sync of a file or folder.
    case sync
    /// A file cut or grown.
    case truncate
    /// A file removed.
    case delete
    /// A file renamed.
    case rename
    /// A request or message handed to the network.
    case send
    /// A timer or alarm set.
    case timer
}

extension EffectKind: CustomStringConvertible {
    /// The word that reports print.
    package var description: String {
        switch self {
        case .write: "write"
        case .sync: "sync"
        case .truncate: "truncate"
        case .delete: "delete"
        case .rename: "rename"
        case .send: "send"
        case .timer: "timer"
        }
    }
}

/// One effect of one incarnation: a point at which it can be made to die.
package struct EffectRecord: Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1 within the incarnation, over all kinds.
    package let number: Int
    /// Counted from 1 within the incarnation and this kind.
    package let numberOfKind: Int
    /// What it is.
    package let kind: EffectKind
    /// What it touches, as the seam names it: a file, a request line.
    package let label: String
    /// Local time of the process: the lag of its lane is in it.
    package let instant: SimulationInstant

    /// The line that the listing of kill points prints.
    package var description: String { "\(number) \(kind) \(label) at \(instant)" }
}

/// What happens to an effect.
package enum EffectDecision: Sendable {
    /// It happens.
    case proceed
    /// The process dies in it, and it does not happen.
    case dieBefore
    /// It happens, and the process dies before the call returns.
    case dieAfter
}

/// Kills an incarnation at its k-th effect.
package struct KillPlan: Hashable, Sendable {
    /// Counted from 1, within `kinds` only.
    package let number: Int
    /// The effects that count.
    package let kinds: Set<EffectKind>
    /// Whether the effect still happens.
    package let happens: Bool

    /// Plans a death before (or with `happens`, right after) the effect of this `number`.
    package init(
        atEffect number: Int,
        of kinds: Set<EffectKind> = Set(EffectKind.allCases),
        happens: Bool = false
    ) {
        precondition(number >= 1, "effects are counted from 1, not \(number)")
        self.number = number
        self.kinds = kinds
        self.happens = happens
    }
}
