import Foundation

/// Which commit and branch is tested: what CI says, or what the work tree's .git says.
enum CommitName {
    /// Variables that hold the commit, by CI server: GitHub Actions, GitLab, Jenkins.
    private static let commitVariables = ["GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"]
    private static let branchVariables = [
        "GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "GIT_BRANCH",
    ]

    /// The commit and the branch; empty where nothing tells.
    static func current(_ context: CommandContext) -> (commit: String, branch: String) {
        let named = { (variables: [String]) in
            variables.lazy.compactMap { context.environment[$0] }.first { !$0.isEmpty }
        }
        let (commit, branch) = head(above: context.workingDirectory)
        return (named(commitVariables) ?? commit, named(branchVariables) ?? branch)
    }

    /// What HEAD names, without running git: a branch's file, packed references, or a bare commit.
    private static func head(above folder: String) -> (String, String) {
        var url = URL(fileURLWithPath: folder)
        while url.path != "/" {
            if let git = gitFolder(in: url), let text = line(git.appendingPathComponent("HEAD")) {
                guard text.hasPrefix("ref: ") else { return (text, "") }
                let name = String(text.dropFirst(5))
                let branch = name.hasPrefix("refs/heads/") ? String(name.dropFirst(11)) : name
                // A work tree of its own keeps its branches in the common folder.
                let common = line(git.appendingPathComponent("commondir"))
                let shared = common.map { git.appendingPathComponent($0).standardized } ?? git
                let commit =
                    line(shared.appendingPathComponent(name)) ?? packed(name, in: shared) ?? ""
                return (commit, branch)
            }
            url.deleteLastPathComponent()
        }
        return ("", "")
    }

    private static func gitFolder(in folder: URL) -> URL? {
        let git = folder.appendingPathComponent(".git")
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: git.path, isDirectory: &isFolder) else {
            return nil
        }
        if isFolder.boolValue { return git }
        guard let text = line(git), text.hasPrefix("gitdir: ") else { return nil }
        return URL(fileURLWithPath: String(text.dropFirst(8)), relativeTo: folder).standardized
    }

    private static func packed(_ name: String, in git: URL) -> String? {
        let url = git.appendingPathComponent("packed-refs")
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasSuffix(" \(name)") }
        return line?.split(separator: " ").first.map(String.init)
    }

    private static func line(_ url: URL) -> String? {
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first.map(String.init)
    }
}
