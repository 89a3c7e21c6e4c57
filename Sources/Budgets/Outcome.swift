/// What a command ends with: each is an exit code, and the worst of several wins.
package enum Outcome: Int32, Codable, Sendable, CaseIterable {
    /// All is well.
    case pass = 0
    /// A budget is broken.
    case budgetBroken = 1
    /// A guarantee is broken.
    case guaranteeBroken = 3
    /// The same seed gave two fingerprints.
    case notReproducible = 4
    /// No seed ran, a fault never fired, or a budget matched no metric.
    case nothingTested = 5
    /// The lab itself failed.
    case labFault = 70

    /// The process's exit code.
    package var exitCode: Int32 { rawValue }

    /// From worst to best: 70, 4, 3, 5, 1, 0.
    package static let precedence: [Outcome] = [
        .labFault, .notReproducible, .guaranteeBroken, .nothingTested, .budgetBroken, .pass,
    ]

    /// The worst of `outcomes`; pass if there are none.
    package static func worst(_ outcomes: some Sequence<Outcome>) -> Outcome {
        let all = Set(outcomes)
        return precedence.first { all.contains($0) } ?? .pass
    }
}
