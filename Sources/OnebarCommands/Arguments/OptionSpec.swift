/// One option of a subcommand, as it is parsed and as help shows it.
package struct OptionSpec: Sendable, Equatable {
    /// The long name with dashes, such as "--seeds".
    package let name: String
    /// What stands for the value in help, such as "N|A..B"; nil for a switch.
    package let value: String?
    /// One line of help.
    package let help: String

    /// Describes an option.
    package init(_ name: String, value: String? = nil, help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}
