/// Words of the command lines that are printed for a person to run again.
package enum ShellText {
    /// The word in quotes, as bash, zsh and fish all read it.
    package static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// The word as it is if a shell leaves it alone, else in quotes.
    package static func word(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                byte >= 0x80 || "-_./,:=+@%".utf8.contains(byte)
                    || Character(UnicodeScalar(byte)).isLetter
                    || Character(UnicodeScalar(byte)).isNumber
            }
        return isPlain ? word : quoted(word)
    }
}
