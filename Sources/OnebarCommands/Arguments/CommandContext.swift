/// What a subcommand may use of its surroundings.
package struct CommandContext {
    /// Where output goes.
    package let console: Console
    /// The environment variables.
    package let environment: [String: String]
    /// The path of the running executable: what worker processes execute.
    package let executable: String
    /// The folder that relative paths start from.
    package let workingDirectory: String

    /// Makes a context.
    package init(
        console: Console,
        environment: [String: String],
        executable: String,
        workingDirectory: String
    ) {
        self.console = console
        self.environment = environment
        self.executable = executable
        self.workingDirectory = workingDirectory
    }
}
