import Profiles

/// `--tag`: profiles by what they say they are for, such as "pr" or "nightly".
enum TaggedProfiles {
    /// The option, for commands that run profiles.
    static let option = OptionSpec(
        "--tag",
        value: "TAG",
        help: "every profile with this tag, after those that are named"
    )

    /// The profiles that are named, then those with any of the tags, each once.
    static func operands(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> [String] {
        let library = ProfileLibrary.standard(
            environment: context.environment,
            workingDirectory: context.workingDirectory
        )
        var all: [String] = []
        for name in arguments.operands + (try names(arguments, in: library))
        where !all.contains(name) {
            all.append(name)
        }
        return all
    }

    /// Every tag that a profile has, in the order of the profiles.
    static func tags(in library: ProfileLibrary) -> [String] {
        var tags: [String] = []
        for tag in library.profileTags().flatMap(\.tags) where !tags.contains(tag) {
            tags.append(tag)
        }
        return tags
    }

    /// The profiles with any of the tags of `--tag`; a tag that none has tests nothing and fails.
    static func names(
        _ arguments: ParsedArguments,
        in library: ProfileLibrary
    ) throws(CommandFailure) -> [String] {
        let wanted = arguments.all("--tag")
        guard !wanted.isEmpty else { return [] }
        let known = tags(in: library)
        for tag in wanted where !known.contains(tag) {
            throw CommandFailure(
                [
                    "onebar: error: no profile has the tag '\(tag)'",
                    "  \(NearestName.remedy(for: tag, among: known))",
                ],
                code: .nothingTested
            )
        }
        return library.profileTags().filter { $0.tags.contains(where: wanted.contains) }.map(\.name)
    }
}
