import Lab
import Synchronization

/// The guarantees of one test, and how often each was checked over all of its runs.
final class GuaranteeBook: Sendable {
    private struct Tally {
        var checks = 0
        var held = 0
    }

    private struct State {
        var guarantees: [Guarantee] = []
        var tallies: [String: Tally] = [:]
        var launch: LaunchContext?
    }

    private let state = Mutex(State())

    /// Declares a guarantee; nil if the name is taken.
    func register(_ name: String, _ kind: Guarantee.Kind) -> Guarantee? {
        state.withLock { state in
            guard !name.isEmpty, !state.guarantees.contains(where: { $0.name == name }) else {
                return nil
            }
            let guarantee = Guarantee(name, kind, in: self)
            state.guarantees.append(guarantee)
            return guarantee
        }
    }

    /// A launch begins: what is checked from now on is checked by it.
    func begin(_ launch: LaunchContext) {
        state.withLock { $0.launch = launch }
    }

    /// Counts a check, and returns the launch that may tell of it; nil if that is dead.
    func note(_ guarantee: Guarantee, holds: Bool) -> LaunchContext? {
        let launch = state.withLock { $0.launch }
        guard let launch else {
            preconditionFailure("'\(guarantee.name)' was checked outside of a run")
        }
        guard launch.canAct() else { return nil }
        state.withLock { state in
            state.tallies[guarantee.name, default: Tally()].checks += 1
            if holds { state.tallies[guarantee.name, default: Tally()].held += 1 }
        }
        return launch
    }

    /// Counts a question of the lab's own.
    func asked(_ name: String) {
        state.withLock { $0.tallies[name, default: Tally()].checks += 1 }
    }

    /// What guards nothing: never checked, or never seen although it should be at times.
    func idle(runs: Int) -> (name: String, line: String)? {
        state.withLock { state in
            for guarantee in state.guarantees {
                let tally = state.tallies[guarantee.name] ?? Tally()
                guard tally.checks > 0 else {
                    return (
                        guarantee.name,
                        "'\(guarantee.name)' was never evaluated: no check of it was reached in "
                            + "\(runs) runs, so it guards nothing"
                    )
                }
                guard guarantee.kind == .sometimes, tally.held == 0 else { continue }
                return (
                    guarantee.name,
                    "'\(guarantee.name)' never happened: it was checked \(tally.checks) times in "
                        + "\(runs) runs and was never true"
                )
            }
            return nil
        }
    }
}
