import Profiles

/// The words of a command line, sorted into options and operands.
package struct ParsedArguments: Equatable, Sendable {
    /// Words that are no option, in order.
    package private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// Sorts `words`; throws a usage failure at an unknown option or a missing value.
    ///
    /// `--name value` and `--name=value` mean the same; after `--` everything is an operand.
    package init(
        _ words: [String],
        options: [OptionSpec],
        command: String
    ) throws(CommandFailure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word != "--" else {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let spec = options.first(where: { $0.name == name }) else {
                throw Self.unknown(name, options: options, command: command)
            }
            guard let placeholder = spec.value else {
                guard parts.count == 1 else {
                    throw .usage("'\(name)' takes no value", remedy: "write it alone: \(name)")
                }
                values[name, default: []].append("")
                continue
            }
            if parts.count == 2 {
                values[name, default: []].append(String(parts[1]))
            } else if let next = rest.popFirst() {
                values[name, default: []].append(next)
            } else {
                throw .usage(
                    "'\(name)' needs a value",
                    remedy: "write \(name) \(placeholder)"
                )
            }
        }
    }

    /// Whether a switch was given.
    package func has(_ name: String) -> Bool { values[name] != nil }

    /// The last value given to an option.
    package func value(_ name: String) -> String? { values[name]?.last }

    /// Every value given to an option, in order.
    package func all(_ name: String) -> [String] { values[name] ?? [] }

    private static func unknown(
        _ name: String,
        options: [OptionSpec],
        command: String
    ) -> CommandFailure {
        let names = options.map(\.name)
        let near = NearestName.of(name, among: names)
        let remedy = near.map { "did you mean '\($0)'?" } ?? "see onebar \(command) --help"
        return .usage("'onebar \(command)' has no option '\(name)'", remedy: remedy)
    }
}
