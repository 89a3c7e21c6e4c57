import Testing

@testable import ServerModel

@Suite struct SHA1Tests {
    // FIPS 180-4's example messages (NIST CSRC, "SHA1.pdf"), and the digest of nothing.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
    ])
    func `the standard's examples come out`(message: String, digest: String) {
        #expect(Self.hex(of: [Array(message.utf8)]) == digest)
    }

    @Test func `a million times a comes out`() {
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
        let digest = Self.hex(of: [[UInt8]](repeating: piece, count: 1_000))
        #expect(digest == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    }

    @Test func `it does not matter where a message is cut`() {
        let message = (0..<200).map { UInt8($0) }
        let whole = Self.hex(of: [message])
        for cut in 0...200 {
            #expect(Self.hex(of: [Array(message[..<cut]), Array(message[cut...])]) == whole)
        }
    }

    static func hex(of pieces: [[UInt8]]) -> String {
        var digest = SHA1()
        for piece in pieces { digest.update(piece) }
        return digest.finish().map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
