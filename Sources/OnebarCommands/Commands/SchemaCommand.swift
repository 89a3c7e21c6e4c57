import Profiles

/// `onebar schema`: the JSON Schema from which editors complete and check profiles.
package enum SchemaCommand: Subcommand {
    package static let name = "schema"
    package static let summary = "prints the JSON Schema of profiles or presets"
    package static let operands = "[profile|device|network|radio|server|os|budgets]"
    package static let discussion = [
        "An editor that knows JSON Schema completes and checks a file whose first key is",
        "  \"$schema\": \"schema/profile.json\"",
        "when the schema lies there: onebar schema > profiles/schema/profile.json",
    ]
    package static let options: [OptionSpec] = []

    /// Prints the schema of the kind named, or of profiles.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard arguments.operands.count <= 1 else {
            throw CommandFailure.usage(
                "'onebar schema' prints one schema",
                remedy: "name one kind of file: onebar schema network"
            )
        }
        let kind = arguments.operands.first ?? ProfileSchema.profile.rawValue
        guard let schema = ProfileSchema(rawValue: kind) else {
            throw CommandFailure.usage(
                "there is no schema '\(kind)'",
                remedy: NearestName.remedy(
                    for: kind,
                    among: ProfileSchema.allCases.map(\.rawValue)
                )
            )
        }
        // The text ends with a line break of its own.
        context.console.print(String(schema.text.dropLast()))
        return .pass
    }
}
