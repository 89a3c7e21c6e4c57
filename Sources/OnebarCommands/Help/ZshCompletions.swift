import Profiles

/// The completions of zsh.
enum ZshCompletions {
    static var script: String {
        var lines = [
            "#compdef onebar", "# zsh completion for onebar; made by 'onebar completions zsh'",
            "_onebar() {", "    local -a commands", "    commands=(",
        ]
        lines += FrontDoor.shown.map {
            "        " + ShellText.quoted("\($0.name):\($0.summary)")
        }
        lines += [
            "    )", "    if (( CURRENT == 2 )); then",
            "        _describe command commands",
            "        [[ $words[2] == -* ]] && compadd -- --help --version",
            "        return", "    fi", "    local command=$words[2]", "    shift words",
            "    (( CURRENT-- ))", "    case $command in",
        ]
        for command in FrontDoor.shown {
            lines.append("        \(command.name)) _arguments \\")
            let specs = command.options.map(spec) + ["'--help[prints help]'"]
            lines += specs.map { "            \($0) \\" }
            let place = CompletedPlace(operandsOf: command)
            let operand = ShellText.quoted(
                "*:\(escaped(command.operands)):\(action(place))"
            )
            lines.append("            \(operand) ;;")
        }
        lines += [
            "    esac", "}",
            // Autoloaded from $fpath the file is the function's body; sourced, it has to say so.
            "if [[ $funcstack[1] == _onebar ]]; then", "    _onebar \"$@\"", "else",
            "    compdef _onebar onebar", "fi",
        ]
        return lines.joined(separator: "\n")
    }

    private static func spec(_ option: OptionSpec) -> String {
        let help = option.help.replacing("[", with: "(").replacing("]", with: ")")
            .replacing(":", with: "\\:")
        guard let value = option.value, let place = CompletedPlace(valueOf: option) else {
            return ShellText.quoted("\(option.name)[\(help)]")
        }
        return ShellText.quoted(
            "*\(option.name)=[\(help)]:\(escaped(value)):\(action(place))"
        )
    }

    private static func escaped(_ text: String) -> String { text.replacing(":", with: "\\:") }

    private static func action(_ place: CompletedPlace) -> String {
        let lists = place.lists.map { "$(onebar \($0) 2>/dev/null)" }
        let words = (place.choices + lists).joined(separator: " ")
        let files = place.takesFiles ? "_files" : place.takesFolders ? "_files -/" : ""
        guard !words.isEmpty else { return files.isEmpty ? " " : files }
        return "{ compadd -- \(words)\(files.isEmpty ? "" : "; \(files)") }"
    }
}
