import Testing

@testable import ServerModel

@Suite struct Base64Tests {
    // RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
        ("Zm9vYmE=", "fooba"), ("Zm9vYmFy", "foobar"),
    ])
    func `the vectors of the standard are decoded`(text: String, content: String) {
        #expect(Base64.decode(text) == Array(content.utf8))
    }

    @Test func `all of the alphabet is decoded`() {
        // 0b11111011_11110000_... : '+' is 62 and '/' is 63, so "+/A=" is 62, 63, 0: bits
        // 111110 111111 000000 -> 11111011 11110000.
        #expect(Base64.decode("+/A=") == [0b1111_1011, 0b1111_0000])
    }

    @Test(arguments: ["Zg", "Zg=", "Z===", "====", "Zm9v=", "Zm 9", "Zm-_", "Zh==", "Zm9=", "=Zg="])
    func `wrong length, padding, alphabet and stray bits are refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
