import Foundation
import Lab
import Profiles

/// Writes what a hunt found: the plan that provokes it, and its story.
enum HuntFiles {
    /// Writes both files into `folder` and returns their paths.
    static func write(
        _ finding: HuntFinding,
        to folder: String
    ) throws(CommandFailure) -> (plan: String, story: String) {
        do {
            return try FindingFiles.write(finding, to: folder) {
                "onebar replay \(ShellText.word($0))"
            }
        } catch {
            throw CommandFailure(
                [
                    "onebar: error: cannot write to '\(folder)': \(error.localizedDescription)",
                    "  choose another folder with --out DIR",
                ],
                code: .cannotWrite
            )
        }
    }
}
