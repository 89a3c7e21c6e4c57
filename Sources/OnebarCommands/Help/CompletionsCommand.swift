import Profiles

/// `onebar completions`: what a shell needs to complete the tool's words, from the same declarations as help.
package enum CompletionsCommand: Subcommand {
    package static let name = "completions"
    package static let summary = "prints completions for bash, zsh or fish"
    package static let operands = "bash|zsh|fish"
    package static let discussion = [
        "  bash   onebar completions bash >",
        "         ~/.local/share/bash-completion/completions/onebar",
        "  zsh    onebar completions zsh > a folder of $fpath, as _onebar",
        "  fish   onebar completions fish > ~/.config/fish/completions/onebar.fish",
        "For this session alone: source <(onebar completions zsh), likewise in bash;",
        "onebar completions fish | source",
    ]
    package static let options: [OptionSpec] = []

    /// Prints the script of a shell.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        switch arguments.operands.first {
        case "bash": context.console.print(BashCompletions.script)
        case "zsh": context.console.print(ZshCompletions.script)
        case "fish": context.console.print(FishCompletions.script)
        default:
            throw CommandFailure.usage(
                "'onebar completions' needs a shell it knows",
                remedy: arguments.operands.first
                    .flatMap { NearestName.of($0, among: ["bash", "zsh", "fish"]) }
                    .map { "did you mean 'onebar completions \($0)'?" }
                    ?? "write onebar completions bash, zsh or fish"
            )
        }
        return .pass
    }
}
