import Foundation
import Lab
import Measurements
import Profiles

/// Writes what a hunt found: the plan that provokes it, and its story.
enum HuntFiles {
    /// Writes both files into `folder` and returns their paths.
    static func write(
        _ finding: HuntFinding,
        to folder: String
    ) throws(CommandFailure) -> (plan: String, story: String) {
        let name = finding.breach.guarantee.text
            .map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" }
        let base = "\(folder)/\(String(name))"
        let paths = (plan: "\(base).plan.json", story: "\(base).story.txt")
        do {
            try Data(finding.plan.text.utf8).write(to: URL(fileURLWithPath: paths.plan))
            let text = story(of: finding, planPath: paths.plan)
            try Data(text.utf8).write(to: URL(fileURLWithPath: paths.story))
        } catch {
            throw CommandFailure(
                [
                    "onebar: error: cannot write to '\(folder)': \(error.localizedDescription)",
                    "  choose another folder with --out DIR",
                ],
                code: .cannotWrite
            )
        }
        return paths
    }

    /// The story's file: what broke, by which faults, and everything that happened, in order.
    static func story(of finding: HuntFinding, planPath: String) -> String {
        var lines = summary(of: finding)
        lines += ["", "replay it: onebar replay \(planPath)", "", "everything that happened:"]
        lines += finding.story.map { "  \(padded("\($0.instant)", to: 14))  \($0.text)" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What broke and by which faults, in a few lines.
    static func summary(of finding: HuntFinding) -> [String] {
        let breach = finding.breach
        var lines = ["\(breach.guarantee) is broken: \(breach.message)"]
        lines.append(
            "  profile \(finding.plan.profile), seed \(finding.plan.seed), at \(breach.instant)"
        )
        if finding.plan.faults.isEmpty {
            lines.append("  without any fault")
        }
        for entry in finding.plan.faults {
            lines.append("  fault \(entry.index + 1): \(entry.title)")
        }
        if !breach.story.isEmpty { lines += ["", "what happened to '\(breach.subject)':"] }
        lines += breach.story.map { "  \(padded("\($0.instant)", to: 14))  \($0.text)" }
        return lines
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
