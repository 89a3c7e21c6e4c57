/// One word after `onebar`, with its help and its work.
package protocol Subcommand: Sendable {
    /// The word.
    static var name: String { get }
    /// One line for the overview.
    static var summary: String { get }
    /// What stands after the word in usage, such as "NAME|FILE...".
    static var operands: String { get }
    /// Lines that help prints below the usage.
    static var discussion: [String] { get }
    /// The options, in the order help shows them.
    static var options: [OptionSpec] { get }
    /// Does the work.
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode
}

extension Subcommand {
    /// The text of `onebar NAME --help`.
    package static var help: String {
        let words = ["usage: onebar", name, operands, options.isEmpty ? "" : "[OPTIONS]"]
        let usage = words.filter { !$0.isEmpty }.joined(separator: " ")
        var lines = WrappedText.lines(usage, rest: "         ") + ["", summary]
        if !discussion.isEmpty { lines += [""] + WrappedText.paragraphs(discussion) }
        lines += ["", "options:"]
        let all = options + [OptionSpec("--help", help: "prints this")]
        let lefts = all.map { spec in spec.value.map { "\(spec.name) \($0)" } ?? spec.name }
        let width = min(26, lefts.map(\.count).max() ?? 0)
        for (spec, left) in zip(all, lefts) {
            let rest = String(repeating: " ", count: width + 4)
            if left.count > width {
                lines.append("  \(left)")
                lines += WrappedText.lines(spec.help, first: rest, rest: rest)
            } else {
                let gap = String(repeating: " ", count: width - left.count)
                lines += WrappedText.lines(spec.help, first: "  \(left)\(gap)  ", rest: rest)
            }
        }
        return lines.joined(separator: "\n")
    }
}
