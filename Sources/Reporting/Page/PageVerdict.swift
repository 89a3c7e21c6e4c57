import Budgets

/// What a page says of its run: the run's own verdict, or that of the gate that judged it.
struct PageVerdict {
    /// The command that judged: "run" or "gate".
    let command: String
    /// The word.
    let kind: RunVerdict.Kind
    /// Why, one sentence each; warnings begin with "warning: ".
    let reasons: [String]
    /// What known failures excuse, by the name of the failure.
    private let excused: [GateVerdict.Excused]

    /// The verdict of `run`, or `gate` if there is one.
    init(of run: ProfileRun, gate: GateVerdict?) {
        guard let gate else {
            command = "run"
            kind = run.verdict.verdict
            reasons = run.verdict.reasons
            excused = []
            return
        }
        command = "gate"
        kind = gate.verdict
        excused = gate.excused
        let known = gate.excused.map { excuse in
            "\(Self.text(of: excuse.known)): \(excuse.failure.sentence)"
        }
        // The gate's own warnings of known failures say less than the lines made here.
        let warnings = gate.warnings.filter { !$0.hasPrefix("known failure until ") }
        reasons = gate.reasons + known + warnings.map { "warning: \($0)" }
    }

    /// What excuses a guarantee or a budget, as half a sentence; nil if nothing does.
    func excuse(of failure: String) -> String? {
        excused.first { $0.failure.name == failure }.map { Self.text(of: $0.known) }
    }

    private static func text(of known: KnownFailure) -> String {
        "known failure, excused until \(known.until) (\(known.owner), \(known.reason))"
    }
}
