import Measurements
import PhoneModel
import Profiles

/// `onebar explain`: what a metric, a guarantee or a radio means, and where its figures come from.
package enum ExplainCommand: Subcommand {
    package static let name = "explain"
    package static let summary = "tells what a metric, a guarantee, a preset or a profile is"
    package static let operands = "[METRIC|GUARANTEE|PRESET|PROFILE]"
    package static let discussion = [
        "Without a name: every metric and guarantee, one line each.",
        "A radio or a budget pack is explained with the source of each of its figures, any other",
        "preset with its own.",
    ]
    package static let options = [
        OptionSpec("--names", help: "every name that can be explained, one a line")
    ]

    /// Prints one explanation, or the list of what can be explained.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        let library = ProfileLibrary.standard(
            environment: context.environment,
            workingDirectory: context.workingDirectory
        )
        if arguments.has("--names") {
            for name in names(library) { context.console.print(name) }
            return .pass
        }
        guard !arguments.operands.isEmpty else {
            printEverything(context.console)
            return .pass
        }
        for name in arguments.operands {
            guard let lines = try explanation(of: name, library) else {
                throw unknown(name, library)
            }
            for line in lines { context.console.print(folding: line) }
        }
        return .pass
    }

    private static func printEverything(_ console: Console) {
        let metrics = MetricCatalogue.all.map { ($0.name.text, $0.meaning) }
        let guarantees = GuaranteeName.known.map { ($0.text, $0.meaning) }
        let width = (metrics + guarantees).map(\.0.count).max() ?? 0
        for (title, pairs) in [("metrics:", metrics), ("guarantees:", guarantees)] {
            console.print(title)
            for (name, meaning) in pairs {
                let gap = String(repeating: " ", count: width - name.count)
                console.print(head: "  \(name)\(gap)  ", meaning)
            }
        }
    }

    private static func explanation(
        of name: String,
        _ library: ProfileLibrary
    ) throws -> [String]? {
        if let definition = MetricCatalogue.definition(of: MetricName(name)) {
            return lines(of: definition)
        }
        if let guarantee = GuaranteeName.known.first(where: { $0.text == name }) {
            let isAlwaysOn = GuaranteeName.builtIn.contains(guarantee)
            return [
                name, "  \(guarantee.meaning)",
                "  \(isAlwaysOn ? "always on; " : "")it has no limit and cannot be budgeted",
            ]
        }
        if library.pathOfPreset(.radios, named: name) != nil {
            do {
                return lines(of: try RadioFile.model(name, in: library))
            } catch {
                throw ScenarioLoading.failure(of: error)
            }
        }
        for kind in PresetKind.allCases {
            guard let path = library.pathOfPreset(kind, named: name) else { continue }
            do {
                return lines(of: try library.document(at: path), name: name, kind: kind)
            } catch {
                throw ScenarioLoading.failure(of: error)
            }
        }
        guard let path = try? library.pathOfProfile(name), FileCheck.kind(of: path) == nil else {
            return nil
        }
        do {
            let document = try library.document(at: path)
            return ["\(name), a profile in \(document.path)"]
                + document.leadingComment.map { "  \($0)" }
        } catch {
            throw ScenarioLoading.failure(of: error)
        }
    }

    private static func lines(of definition: MetricDefinition) -> [String] {
        var lines = [
            definition.name.text, "  \(definition.meaning)",
            "  unit         \(definition.unit.rawValue)",
        ]
        let indent = String(repeating: " ", count: 15)
        lines += WrappedText.lines(
            definition.computation,
            first: "  computed     ",
            rest: indent
        )
        lines.append("  produced by  \(definition.module)")
        if definition.isSampled {
            lines.append("  statistics   over all samples of all seeds")
        } else {
            lines.append("  statistics   over the seeds, one value each")
        }
        if let guarantee = definition.guarantee {
            lines.append("  judged by    the guarantee \(guarantee); it cannot have a budget")
        }
        return lines
    }

    private static func lines(of radio: RadioModel) -> [String] {
        let grades: [RadioModel.Grade: String] = [
            .a: "timers and powers are published", .b: "timers are published, powers are assumed",
            .c: "assumed, or never validated",
        ]
        var lines = [
            radio.name, "  \(radio.title)",
            "  year         \(radio.year)",
            "  grade        \(radio.grade.rawValue): \(grades[radio.grade] ?? "")",
            "  states       \(radio.states.map(\.name).joined(separator: ", "))",
            "  sources",
        ]
        lines += radio.sources.map { "    \($0.field): \($0.source)" }
        return lines
    }

    private static func lines(
        of document: JSONCDocument,
        name: String,
        kind: PresetKind
    ) -> [String] {
        var lines = ["\(name), a \(kind.noun) in \(document.path)"]
        lines += document.leadingComment.map { "  \($0)" }
        if let source = document.root["source"]?.string { lines.append("  source       \(source)") }
        let unverified = document.root["unverified"]?.elements?.compactMap(\.string) ?? []
        if !unverified.isEmpty {
            lines.append("  unverified   \(unverified.joined(separator: ", "))")
        }
        if let date = document.root["as_of"]?.string { lines.append("  as of        \(date)") }
        if kind == .budgets { lines += limits(document.root["budgets"]) }
        return lines
    }

    /// Each limit of a budget pack with where its figure comes from.
    private static func limits(_ budgets: JSONCValue?) -> [String] {
        (budgets?.members ?? []).flatMap { member in
            (member.value.elements ?? [member.value]).flatMap { line in
                let level = line["level"]?.string.map { ", level \($0)" } ?? ""
                let source =
                    line["source"]?.string ?? line["assumption"]?.string.map { "assumption: \($0)" }
                return ["  \(member.key) \(line["limit"]?.string ?? "")\(level)"]
                    + (source.map {
                        WrappedText.lines($0, first: "    ", rest: "    ")
                    } ?? [])
            }
        }
    }

    private static func names(_ library: ProfileLibrary) -> [String] {
        MetricCatalogue.all.map(\.name.text) + GuaranteeName.known.map(\.text)
            + PresetKind.allCases.flatMap { library.presetNames($0) } + library.profileNames()
    }

    private static func unknown(_ name: String, _ library: ProfileLibrary) -> CommandFailure {
        let near = NearestName.of(name, among: names(library))
        return .usage(
            "nothing is called '\(name)'",
            remedy: near.map { "did you mean '\($0)'?" } ?? "see all: onebar explain"
        )
    }
}
