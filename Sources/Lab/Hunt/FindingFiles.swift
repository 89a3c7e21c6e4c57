import Foundation
import Measurements
import Profiles

/// What a finding looks like on paper: a plan to replay, and its story.
package enum FindingFiles {
    /// Writes plan and story into `folder`, which is made, and returns their paths.
    ///
    /// `replay` gives the line that replays the plan at a path. Both files appear whole or not at all.
    /// Throws what the system says.
    package static func write(
        _ finding: HuntFinding,
        to folder: String,
        replay: (String) -> String
    ) throws -> (plan: String, story: String) {
        let name = finding.breach.guarantee.text
            .map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" }
        let base = "\(folder)/\(String(name))"
        let paths = (plan: "\(base).plan.json", story: "\(base).story.txt")
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        try Data(finding.plan.text.utf8)
            .write(to: URL(fileURLWithPath: paths.plan), options: .atomic)
        let text = story(of: finding, replay: replay(paths.plan))
        try Data(text.utf8).write(to: URL(fileURLWithPath: paths.story), options: .atomic)
        return paths
    }

    /// The story's file: what broke, by which faults, and everything that happened, in order.
    package static func story(of finding: HuntFinding, replay: String) -> String {
        var lines = summary(of: finding)
        lines += ["", "replay it: \(replay)", "", "everything that happened:"]
        lines += self.lines(finding.story)
        return lines.joined(separator: "\n") + "\n"
    }

    /// What broke and by which faults, in a few lines.
    package static func summary(of finding: HuntFinding) -> [String] {
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
        return lines + self.lines(breach.story)
    }

    /// A story's lines with their instants in a column.
    package static func lines(_ story: [StoryLine]) -> [String] {
        story.map { "  \(padded("\($0.instant)", to: 14))  \($0.text)" }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
