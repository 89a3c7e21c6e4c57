import Profiles

/// What a shell may write in the place of an option's value or of an operand.
///
/// Read from the placeholders that help shows, so that help and completions cannot part.
struct CompletedPlace: Equatable {
    /// Words to choose from.
    private(set) var choices: [String] = []
    /// Lines of `onebar` that print more words, one a line.
    private(set) var lists: [String] = []
    /// Whether a file may stand there.
    private(set) var takesFiles = false
    /// Whether a folder may stand there.
    private(set) var takesFolders = false

    /// The place of an option's value; nil for a switch.
    init?(valueOf option: OptionSpec) {
        guard let value = option.value else { return nil }
        self.init(placeholder: value, under: option.name)
    }

    /// The place of a command's operands.
    init(operandsOf command: any Subcommand.Type) {
        self.init(placeholder: command.operands, under: command.name)
    }

    private init(placeholder: String, under name: String) {
        let words = placeholder.split { "[]|. ".contains($0) }.map(String.init)
        let isChoice = placeholder.contains("|")
        // A choice may have dots in it, as "aro-4.1.1" has.
        for word in placeholder.split(whereSeparator: { "[]| ".contains($0) }).map(String.init)
        where isChoice && word == word.lowercased() && word.first?.isLetter == true {
            choices.append(word)
        }
        for word in words {
            switch word {
            case "FILE", "CAPTURE", "PLAN": takesFiles = true
            case "DIR", "RUN": takesFolders = true
            case "TAG": lists.append("list --tags")
            case "METRIC", "PRESET": add("explain --names")
            case "NETWORK": lists.append("list networks --names")
            case "FORMAT": choices += ExchangeFormat.allCases.map(\.rawValue)
            case "NAME": add(Self.lists(under: name))
            default: continue
            }
        }
    }

    private mutating func add(_ list: String?) {
        guard let list, !lists.contains(list) else { return }
        lists.append(list)
    }

    /// What NAME stands for; nil where it is a name that only a file knows.
    private static func lists(under name: String) -> String? {
        switch name {
        case "--radio": "list radios --names"
        case "--judge", "run", "gate", "check", "hunt": "list --names"
        default: nil
        }
    }
}
