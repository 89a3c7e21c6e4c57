import Profiles

/// `onebar list`: the profiles and presets there are.
package enum ListCommand: Subcommand {
    package static let name = "list"
    package static let summary = "lists profiles and presets, with what each is about"
    package static let operands =
        "[profiles|" + PresetKind.allCases.map(\.rawValue).joined(separator: "|") + "]"
    package static let discussion = [
        "Looks into the folders of ONEBAR_PROFILES, then ./profiles, then those that ship.",
        "A file of one's own shadows a shipped one of the same name.",
    ]
    package static let options = [
        OptionSpec("--tag", value: "TAG", help: "only profiles with this tag, names alone"),
        OptionSpec("--names", help: "names alone, one a line: of profiles, or of the kinds named"),
        OptionSpec("--tags", help: "every tag that a profile has, one a line"),
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
        if arguments.has("--tags") {
            for tag in TaggedProfiles.tags(in: library) { context.console.print(tag) }
            return .pass
        }
        if arguments.has("--tag") {
            let names = try TaggedProfiles.names(arguments, in: library)
            for name in names { context.console.print(name) }
            return .pass
        }
        let kinds = ["profiles"] + PresetKind.allCases.map(\.rawValue)
        let wanted = arguments.operands.isEmpty ? kinds : arguments.operands
        for kind in wanted where !kinds.contains(kind) {
            throw CommandFailure.usage(
                "there is no kind of file '\(kind)'",
                remedy: NearestName.remedy(for: kind, among: kinds)
            )
        }
        if arguments.has("--names") {
            for kind in arguments.operands.isEmpty ? ["profiles"] : wanted {
                let names =
                    PresetKind(rawValue: kind).map(library.presetNames) ?? library.profileNames()
                for name in names { context.console.print(name) }
            }
            return .pass
        }
        for kind in wanted {
            let rows = PresetKind(rawValue: kind).map { presets($0, library) } ?? profiles(library)
            guard !rows.isEmpty else { continue }
            context.console.print("\(kind):")
            for row in rows { context.console.print(head: row.head, row.text) }
        }
        return .pass
    }

    private static func profiles(_ library: ProfileLibrary) -> [(head: String, text: String)] {
        aligned(library.profileNames(), path: { try library.pathOfProfile($0) }, in: library)
    }

    private static func presets(_ kind: PresetKind, _ library: ProfileLibrary) -> [(
        head: String, text: String
    )] {
        aligned(
            library.presetNames(kind),
            path: { library.pathOfPreset(kind, named: $0) ?? $0 },
            in: library
        )
    }

    /// Names in a column, then what each file says of itself.
    private static func aligned(
        _ names: [String],
        path: (String) throws -> String,
        in library: ProfileLibrary
    ) -> [(head: String, text: String)] {
        let width = names.map(\.count).max() ?? 0
        return names.map { name in
            let gap = String(repeating: " ", count: width - name.count)
            return ("  \(name)\(gap)  ", about(name, path, library))
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
            return document.headline
        } catch {
            return "does not read; see onebar check"
        }
    }
}
