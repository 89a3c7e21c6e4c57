import Budgets

/// How the tool ends, as documented in `onebar --help`.
///
/// 2 is never used: most CI wrappers read it as "the tool failed". Numbers from 64 on are those of
/// BSD's sysexits.
package struct ExitCode: Equatable, Hashable, Sendable {
    /// The number handed to the shell.
    package let status: Int32

    private init(_ status: Int32) {
        self.status = status
    }

    /// All within budget, every guarantee kept.
    package static let pass = ExitCode(0)
    /// A budget is broken.
    package static let budgetBroken = ExitCode(1)
    /// A guarantee is broken.
    package static let guaranteeBroken = ExitCode(3)
    /// The same seed gave two different runs.
    package static let notReproducible = ExitCode(4)
    /// Nothing was tested: no seed ran, a fault never fired, a budget matched no metric.
    package static let nothingTested = ExitCode(5)
    /// The command line is wrong.
    package static let usage = ExitCode(64)
    /// A profile or an input is wrong.
    package static let badInput = ExitCode(65)
    /// A profile or an input is not there.
    package static let missingInput = ExitCode(66)
    /// The lab's own fault.
    package static let internalError = ExitCode(70)
    /// The output cannot be written.
    package static let cannotWrite = ExitCode(73)
    /// Interrupted with control-C.
    package static let interrupted = ExitCode(130)

    /// The code of a judged run.
    package init(_ outcome: Outcome) {
        self.init(outcome.exitCode)
    }

    /// The code of several that counts: 70, 4, 3, 5, 1, then 0.
    package static func gravest(of codes: [ExitCode]) -> ExitCode {
        let order: [ExitCode] = [
            .internalError, .cannotWrite, .badInput, .missingInput, .notReproducible,
            .guaranteeBroken, .nothingTested, .budgetBroken,
        ]
        return order.first { codes.contains($0) } ?? .pass
    }
}
