import HTTPVocabulary
import Testing

@Suite struct StructuredStringTests {
    @Test func `the draft's own example of a key is read`() {
        // draft-ietf-httpapi-idempotency-key-header-07, 2.1.
        let read = StructuredString.read(#""8e03978e-40d5-43dd-bc93-6894a57f9324""#)
        #expect(read == "8e03978e-40d5-43dd-bc93-6894a57f9324")
    }

    // RFC 8941, 3.3.3 and 4.2.5: quoted; only the quote and the backslash are escaped; ASCII.
    @Test(arguments: [
        ("\"\"", ""), ("\"a b\"", "a b"), (" \"x\" ", "x"), (#""a\"b\\c""#, #"a"b\c"#),
    ])
    func `strings in quotes are read`(text: String, content: String) {
        #expect(StructuredString.read(text) == content)
    }

    @Test(arguments: [
        "", "abc", "\"", "\"abc", "abc\"", "\"a\"b\"", #""a\nb""#, "\"\u{7F}\"", "\"\u{9}\"",
        "\"ä\"", "\"a\";q=1", "'a'", "\"a\" \"b\"",
    ])
    func `anything else is refused`(text: String) {
        #expect(StructuredString.read(text) == nil)
    }

    @Test(arguments: ["", "plain", #"quote " and \ slash"#])
    func `what is written is read again`(content: String) throws {
        let written = try #require(StructuredString.write(content))
        #expect(StructuredString.read(written) == content)
    }

    @Test func `only ASCII can be written`() {
        #expect(StructuredString.write("ü") == nil)
        #expect(StructuredString.write("a\nb") == nil)
    }
}
