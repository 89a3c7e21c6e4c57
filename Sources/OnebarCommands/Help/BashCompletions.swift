/// The completions of bash.
enum BashCompletions {
    static var script: String {
        let names = FrontDoor.shown.map { $0.name }.joined(separator: " ")
        var lines = [
            "# bash completion for onebar; made by 'onebar completions bash'", "_onebar() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}",
            "    local previous=${COMP_WORDS[COMP_CWORD - 1]}", "    local IFS=$' \\t\\n'",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        COMPREPLY=($(compgen -W \"\(names) --help --version\" -- \"$word\"))",
            "        return", "    fi", "    local options= words= files=",
            "    case \"$command $previous\" in",
        ]
        for command in FrontDoor.shown {
            for option in command.options {
                guard let place = CompletedPlace(valueOf: option) else { continue }
                lines.append("        '\(command.name) \(option.name)') \(settings(place)) ;;")
            }
        }
        lines += ["        *)", "            case $command in"]
        for command in FrontDoor.shown {
            let options = (command.options.map(\.name) + ["--help"]).joined(separator: " ")
            let place = settings(CompletedPlace(operandsOf: command))
            lines.append(
                "                \(command.name)) options=\"\(options)\"; \(place) ;;"
            )
        }
        lines += [
            "            esac ;;", "    esac", "    case $word in",
            "        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return ;;",
            "    esac",
            "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))",
            "    IFS=$'\\n'",
            "    [ -n \"$files\" ] && COMPREPLY+=($(compgen $files -- \"$word\"))",
            "    return 0",
            "}", "complete -o filenames -F _onebar onebar",
        ]
        return lines.joined(separator: "\n")
    }

    /// Assignments to the variables that the script's end reads.
    private static func settings(_ place: CompletedPlace) -> String {
        let lists = place.lists.map { "$(onebar \($0) 2>/dev/null)" }
        let words = (place.choices + lists).joined(separator: " ")
        let files = place.takesFiles ? "-f" : place.takesFolders ? "-d" : ""
        return "words=\"\(words)\"; files=\(files)"
    }
}
