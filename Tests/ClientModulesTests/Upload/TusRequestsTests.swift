import Foundation
import Testing

@testable import ClientModules

@Suite struct TusRequestsTests {
    // tus 1.0, Upload-Metadata: comma-separated pairs, the value base64; "photo-17" is cGhvdG8tMTc=,
    // "image/jpeg" is aW1hZ2UvanBlZw== (coreutils base64). An empty value is left out.
    @Test func `metadata names the upload first and the rest in order`() {
        let source = UploadSource(
            file: "/f",
            identity: "photo-17",
            metadata: ["type": "image/jpeg", "album": "", "filename": "ignored"]
        )
        #expect(
            TusRequests.metadata(for: source)
                == "filename cGhvdG8tMTc=,album,type aW1hZ2UvanBlZw=="
        )
    }

    @Test func `requests carry what the protocol demands`() throws {
        let requests = TusRequests(idleTimeout: .seconds(30))
        let url = try #require(URL(string: "https://up.example/files/u1"))
        let creation = requests.creation(at: url, length: 9, metadata: "filename YQ==", key: "k")
        #expect(creation.method == "POST")
        #expect(creation[header: "Upload-Length"] == "9")
        #expect(creation[header: "Upload-Metadata"] == "filename YQ==")
        #expect(creation[header: "Idempotency-Key"] == "\"k\"")
        let append = requests.append(to: url, offset: 5, sha1: nil)
        #expect(append.method == "PATCH")
        #expect(append[header: "Upload-Offset"] == "5")
        #expect(append[header: "Content-Type"] == "application/offset+octet-stream")
        #expect(append[header: "Upload-Checksum"] == nil)
        for request in [creation, append, requests.query(url), requests.termination(url)] {
            #expect(request[header: "Tus-Resumable"] == "1.0.0")
            #expect(request.purpose == "upload")
            #expect(request.idleTimeout == .seconds(30))
        }
    }

    // FIPS 180-2, appendix A: "abc", the 56-byte message and a million times "a".
    @Test func `the digest agrees with the standard's examples`() {
        func digest(_ pieces: [String]) -> String {
            var hash = SHA1()
            for piece in pieces {
                Array(piece.utf8).withUnsafeBytes { hash.update($0) }
            }
            return hash.finish().map { byte in
                let text = String(byte, radix: 16)
                return text.count == 1 ? "0" + text : text
            }.joined()
        }
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(digest([]) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(digest(["abc"]) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(digest([long]) == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        #expect(
            digest(["abcdbcde", "", String(long.dropFirst(8))])
                == "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        )
        let thousand = String(repeating: "a", count: 1_000)
        #expect(
            digest(Array(repeating: thousand, count: 1_000))
                == "34aa973cd4c4daa4f61eeb2bdbad27316534016f"
        )
    }
}
