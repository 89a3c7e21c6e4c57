import Profiles

/// `onebar list`: the profiles and presets there are.
package enum ListCommand: Subcommand {
    package static let name = "list"
    package static let summary = "lists profiles and presets, with what each is about"
    package static let operands = "[profiles|devices|networks|radios|servers]"
    package static let discussion = [
        "Looks into the folders of ONEBAR_PROFILES, then ./profiles, then those that ship.",
        "A file of one's own shadows a shipped one of the same name.",
    ]
    package static let options = [
        OptionSpec("--tag", value: "TAG", help: "only profiles with this tag, names alone"),
        OptionSpec("--names", help: "the names of profiles alone, one a line"),
    ]

    /// One line a file, a heading a kind.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        let library = ProfileLibrary.standard(
            environment: context.environment,
            workingDirectory: context.workingDirectory
        )
        if arguments.has("--names"), !arguments.has("--tag") {
            for name in library.profileNames() { context.console.print(name) }
            return .pass
        }
        if let tag = arguments.value("--tag") { return listNames(tag, library, context) }
        let kinds = ["profiles"] + PresetKind.allCases.map(\.rawValue)
        let wanted = arguments.operands.isEmpty ? kinds : arguments.operands
        for kind in wanted where !kinds.contains(kind) {
            throw CommandFailure.usage(
                "there is no kind of file '\(kind)'",
                remedy: NearestName.remedy(for: kind, among: kinds)
            )
        }
        for kind in wanted {
            let lines = PresetKind(rawValue: kind).map { presets($0, library) } ?? profiles(library)
            guard !lines.isEmpty else { continue }
            context.console.print("\(kind):")
            for line in lines { context.console.print(line) }
        }
        return .pass
    }

    private static func listNames(
        _ tag: String,
        _ library: ProfileLibrary,
        _ context: CommandContext
    ) -> ExitCode {
        let names = library.profileNames().filter { name in
            let root = (try? library.document(at: library.pathOfProfile(name)))?.root
            let tags = root?["tags"]?.elements?.compactMap(\.string) ?? []
            return tags.contains(tag) || root?["tags"]?.string == tag
        }
        for name in names { context.console.print(name) }
        if names.isEmpty { context.console.note("no profile has the tag '\(tag)'") }
        return names.isEmpty ? .nothingTested : .pass
    }

    private static func profiles(_ library: ProfileLibrary) -> [String] {
        aligned(library.profileNames(), path: { try library.pathOfProfile($0) }, in: library)
    }

    private static func presets(_ kind: PresetKind, _ library: ProfileLibrary) -> [String] {
        aligned(
            library.presetNames(kind),
            path: { library.pathOfPreset(kind, named: $0) ?? $0 },
            in: library
        )
    }

    /// Names in a column, then the first line of each file's leading comment.
    private static func aligned(
        _ names: [String],
        path: (String) throws -> String,
        in library: ProfileLibrary
    ) -> [String] {
        let width = names.map(\.count).max() ?? 0
        return names.map { name in
            let gap = String(repeating: " ", count: width - name.count)
            return "  \(name)\(gap)  \(about(name, path, library))"
        }
    }

    private static func about(
        _ name: String,
        _ path: (String) throws -> String,
        _ library: ProfileLibrary
    ) -> String {
        do {
            let document = try library.document(at: path(name))
            if let alias = document.root["alias"]?.string { return "the same as \(alias)" }
            return document.leadingComment.first ?? ""
        } catch {
            return "does not read; see onebar check"
        }
    }
}
