/// `onebar completions`: what a shell needs to complete the tool's words, from the same declarations as help.
package enum CompletionsCommand: Subcommand {
    package static let name = "completions"
    package static let summary = "prints completions for bash, zsh or fish"
    package static let operands = "bash|zsh|fish"
    package static let discussion = [
        "  bash   onebar completions bash > ~/.local/share/bash-completion/completions/onebar",
        "  zsh    onebar completions zsh > a folder of $fpath, as _onebar",
        "  fish   onebar completions fish > ~/.config/fish/completions/onebar.fish",
    ]
    package static let options: [OptionSpec] = []

    /// Commands whose operands are names of profiles.
    private static let takingProfiles = ["run", "gate", "check", "hunt"]

    /// Prints the script of a shell.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        switch arguments.operands.first {
        case "bash": context.console.print(bash)
        case "zsh": context.console.print(zsh)
        case "fish": context.console.print(fish)
        default:
            throw CommandFailure.usage(
                "'onebar completions' needs a shell it knows",
                remedy: "write onebar completions bash, zsh or fish"
            )
        }
        return .pass
    }

    private static func optionNames(_ command: any Subcommand.Type) -> [String] {
        command.options.map(\.name) + ["--help"]
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    static var bash: String {
        let names = FrontDoor.shown.map { $0.name }
        var lines = [
            "# bash completion for onebar; made by 'onebar completions bash'", "_onebar() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        COMPREPLY=($(compgen -W \"\(names.joined(separator: " ")) --help --version\" "
                + "-- \"$word\"))",
            "        return", "    fi", "    local options= names=", "    case $command in",
        ]
        for command in FrontDoor.shown {
            var line =
                "        \(command.name)) options=\"\(optionNames(command).joined(separator: " "))\""
            if takingProfiles.contains(command.name) {
                line += "; names=$(onebar list --names 2>/dev/null)"
            }
            lines.append(line + " ;;")
        }
        lines += [
            "    esac", "    case $word in",
            "        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;",
            "        *) COMPREPLY=($(compgen -W \"$names\" -- \"$word\") $(compgen -f -- \"$word\")) ;;",
            "    esac", "}", "complete -o filenames -F _onebar onebar",
        ]
        return lines.joined(separator: "\n")
    }

    static var zsh: String {
        var lines = [
            "#compdef onebar", "# zsh completion for onebar; made by 'onebar completions zsh'",
            "_onebar() {", "    local -a commands", "    commands=(",
        ]
        lines += FrontDoor.shown.map { "        " + quoted("\($0.name):\($0.summary)") }
        lines += [
            "    )", "    if (( CURRENT == 2 )); then", "        _describe command commands",
            "        return", "    fi", "    case $words[2] in",
        ]
        for command in FrontDoor.shown {
            let specs = command.options.map { option in
                let help = option.help.replacing("[", with: "(").replacing("]", with: ")")
                    .replacing(":", with: ";")
                let value = option.value.map { ":\($0.replacing(":", with: ";")):" } ?? ""
                return quoted("\(option.name)[\(help)]\(value)")
            }
            let operand =
                takingProfiles.contains(command.name)
                ? "'*:profile:{ compadd -- $(onebar list --names 2>/dev/null); _files }'"
                : "'*:file:_files'"
            lines.append(
                "        \(command.name)) shift words; (( CURRENT-- )); _arguments "
                    + (specs + ["'--help[prints help]'", operand]).joined(separator: " ") + " ;;"
            )
        }
        return (lines + ["    esac", "}", "_onebar \"$@\""]).joined(separator: "\n")
    }

    static var fish: String {
        var lines = ["# fish completion for onebar; made by 'onebar completions fish'"]
        for command in FrontDoor.shown {
            lines.append(
                "complete -c onebar -n __fish_use_subcommand -f -a \(command.name) "
                    + "-d \(quoted(command.summary))"
            )
            let condition = quoted("__fish_seen_subcommand_from \(command.name)")
            for option in command.options {
                let needs = option.value == nil ? "" : " -x"
                lines.append(
                    "complete -c onebar -n \(condition) -l \(option.name.dropFirst(2))\(needs) "
                        + "-d \(quoted(option.help))"
                )
            }
            if takingProfiles.contains(command.name) {
                lines.append(
                    "complete -c onebar -n \(condition) -a '(onebar list --names 2>/dev/null)'"
                )
            }
        }
        return lines.joined(separator: "\n")
    }
}
