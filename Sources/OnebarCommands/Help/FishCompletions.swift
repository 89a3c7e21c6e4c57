import Profiles

/// The completions of fish.
enum FishCompletions {
    static var script: String {
        var lines = [
            "# fish completion for onebar; made by 'onebar completions fish'",
            "complete -c onebar -f",
            "complete -c onebar -n __fish_use_subcommand -l help -d 'prints help'",
            "complete -c onebar -n __fish_use_subcommand -l version -d 'prints the version'",
        ]
        for command in FrontDoor.shown {
            lines.append(
                "complete -c onebar -n __fish_use_subcommand -f -a \(command.name) "
                    + "-d \(ShellText.quoted(command.summary))"
            )
            let name = ShellText.quoted(
                "__fish_seen_subcommand_from \(command.name)"
            )
            let start = "complete -c onebar -n \(name)"
            for option in command.options {
                let place = CompletedPlace(valueOf: option).map { " -r \(words(of: $0))" } ?? ""
                lines.append(
                    "\(start) -l \(option.name.dropFirst(2))\(place) "
                        + "-d \(ShellText.quoted(option.help))"
                )
            }
            lines.append("\(start) -l help -d 'prints help'")
            lines.append("\(start) \(words(of: CompletedPlace(operandsOf: command)))")
        }
        return lines.joined(separator: "\n")
    }

    /// Options of `complete`: files or none, and the words.
    private static func words(of place: CompletedPlace) -> String {
        var words = place.choices + place.lists.map { "(onebar \($0) 2>/dev/null)" }
        if place.takesFolders { words.append("(__fish_complete_directories)") }
        let files = place.takesFiles ? "-F" : "-f"
        guard !words.isEmpty else { return files }
        return "\(files) -a \(ShellText.quoted(words.joined(separator: " ")))"
    }
}
