import Profiles
import Testing

/// Words as a shell reads them back.
@Suite struct ShellTextTests {
    @Test(arguments: [
        ("reports/a-1_b.json", "reports/a-1_b.json"), ("--seeds=1,2:3@4%", "--seeds=1,2:3@4%"),
        ("", "''"), ("a b", "'a b'"), ("$HOME", "'$HOME'"), ("it's", "'it'\\''s'"),
        ("a;b", "'a;b'"), ("1..3", "1..3"), ("Zürich", "Zürich"),
    ])
    func `a word is quoted where a shell would read more into it`(word: String, text: String) {
        #expect(ShellText.word(word) == text)
    }

    @Test func `a word can be quoted in any case`() {
        #expect(ShellText.quoted("plain") == "'plain'")
        #expect(ShellText.quoted("it's") == "'it'\\''s'")
    }
}
