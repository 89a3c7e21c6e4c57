import Lab
import Measurements
import Profiles
import Quantities

/// Turns what a test found into files and an error that tells all that is needed.
struct FindingReport {
    let finding: HuntFinding
    let place: TestPlace
    /// Of the run in which it broke first; nil for a hunt, which does not count.
    var history: ActionHistory?

    /// Most lines of the app's log that are told: those before the breach.
    private static let logLines = 12

    /// Saves plan and story, and says what broke, how it went, and how to see it again.
    func failure(headline: String? = nil) -> LabFailure {
        let breach = finding.breach
        var lines = [headline ?? Self.headline(breach, of: finding.plan), "  \(breach.message)"]
        lines += FindingFiles.lines(story).map { "  \($0)" }
        var saved: String?
        for folder in TestPlace.reportFolders {
            let target = "\(folder)/\(place.folder)"
            guard
                let paths = try? FindingFiles.write(finding, to: target, replay: place.replayLine)
            else { continue }
            saved = paths.plan
            lines.append("plan:   \(paths.plan)")
            lines.append("story:  \(paths.story)")
            lines.append("replay: \(place.replayLine(paths.plan))")
            break
        }
        if saved == nil {
            lines.append("plan, which could not be saved anywhere:")
            lines.append(finding.plan.text)
        }
        return LabFailure(
            lines,
            guarantee: breach.guarantee.text,
            seed: breach.seed,
            plan: saved,
            history: history
        )
    }

    /// What broke where, and what it took.
    static func headline(_ breach: GuaranteeBreach, of plan: FaultPlan) -> String {
        let causes = plan.faults.map(\.cause).joined(separator: " and ")
        let provoked = causes.isEmpty ? "nothing but the conditions" : causes
        return "\(breach.guarantee) broke in seed \(breach.seed), provoked by \(provoked):"
    }

    /// The story of whom it happened to, with the app's own log on the same timeline.
    private var story: [StoryLine] {
        let told = finding.breach.story
        let from = told.first?.instant ?? .zero
        let log = finding.story.filter {
            $0.text.hasPrefix("log ") && $0.instant >= from
                && $0.instant <= finding.breach.instant
        }
        let lines = told + log.suffix(Self.logLines)
        return lines.enumerated()
            .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
            .map(\.element)
    }
}

extension FaultEntry {
    /// The fault as the cause of something.
    fileprivate var cause: String {
        switch (effect, placement) {
        case (.loseResponse, .request(nil, let nth)):
            "the loss of the response to request \(nth)"
        case (.killProcess, .inside(let place)):
            "a kill \(place.text)"
        default:
            title
        }
    }
}
