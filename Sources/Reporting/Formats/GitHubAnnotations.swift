import Budgets
import Measurements

/// Workflow commands that GitHub shows beside a change: one for each reason that a run failed for.
///
/// Print them on stdout when `GITHUB_ACTIONS` is set; GitHub shows ten of a kind for each step.
package enum GitHubAnnotations {
    private static let limit = 10

    /// The lines of `run`, each with a line break; empty if there is nothing to say.
    package static func text(of run: ProfileRun) -> String {
        var seen: Set<GuaranteeName> = []
        var lines: [String] = []
        for breach in run.breaches where seen.insert(breach.guarantee).inserted {
            let message =
                "seed \(breach.seed), \(breach.instant): \(breach.message)\n"
                + "replay: \(run.replay(breach.seed))"
            lines.append(command("error", "\(run.profile): \(breach.guarantee)", message))
        }
        for verdict in run.budgets {
            let title = "\(run.profile): \(verdict.metric) \(verdict.rule.text)"
            switch verdict.verdict {
            case .fail, .untested: lines.append(command("error", title, verdict.sentence))
            case .warn: lines.append(command("warning", title, verdict.sentence))
            case .pass, .notJudged, .noBaseline: continue
            }
        }
        return lines.prefix(limit).map { $0 + "\n" }.joined()
    }

    /// The commands of a gate: an error for each reason, a warning for each word beside.
    package static func lines(of report: GateReport) -> [String] {
        let title = "gate \(report.run.profile): \(report.verdict.verdict.text)"
        let errors = report.verdict.reasons.map { command("error", title, $0) }
        let warnings = (report.verdict.warnings + report.explored).map {
            command("warning", title, $0)
        }
        return Array(errors.prefix(limit) + warnings.prefix(limit))
    }

    private static func command(_ kind: String, _ title: String, _ message: String) -> String {
        let title = escaped(title).replacing(":", with: "%3A").replacing(",", with: "%2C")
        return "::\(kind) title=\(title)::\(escaped(message))"
    }

    /// As the runner reads them back: percent signs and line breaks by their codes.
    private static func escaped(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }
}
