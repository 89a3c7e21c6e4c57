import ClientModules
import Foundation
import Quantities
import Testing

@Suite struct ChunkedUploaderTests {
    @Test func `a file arrives whole, in one upload, and is told once`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 3_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.isIdentical("u1", to: file))
        #expect(fixture.server.uploads.count == 1)
        // "photo" in base64, coreutils.
        #expect(fixture.server.uploads["u1"]?.metadata == "filename cGhvdG8=")
        #expect(fixture.sentBytes == 3_000_000)
        // At 1 MiB/s: 256 KiB, 1 MiB, and the rest within 4 MiB.
        #expect(fixture.methods == ["POST", "PATCH", "PATCH", "PATCH"])
        #expect(fixture.progress == [262_144, 1_310_720, 3_000_000])
        #expect(fixture.heard.all.first == .created(identity: "photo"))
        #expect(fixture.heard.all.last == .finished(identity: "photo"))
        let location = URL(string: "https://up.example/files/u1")
        #expect(
            fixture.settled.all == [
                UploadSettlement(identity: "photo", location: location, failure: nil)
            ]
        )
        #expect(try fixture.status() == .finished(location: location))
    }

    @Test func `an empty file is an upload too`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 0)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.methods == ["POST"])
        #expect(fixture.heard.all.last == .finished(identity: "photo"))
    }

    @Test func `a broken chunk goes on where the server stands`() throws {
        // 1 POST, 2 the first chunk, 3 the second breaks after 100,000 bytes.
        let fixture = try UploaderFixture([3: .broken(after: 100_000)])
        let file = try fixture.phone.makeFile(count: 2_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.isIdentical("u1", to: file))
        #expect(fixture.methods.prefix(5) == ["POST", "PATCH", "PATCH", "HEAD", "PATCH"])
        let resumed = fixture.phone.transport.seen[4]
        #expect(resumed["Upload-Offset"] == "362144")
        // Only what was not kept of the broken chunk was sent twice.
        let chunk = fixture.phone.transport.seen[2].body.count
        #expect(fixture.sentBytes == 2_000_000 + chunk - 100_000)
    }

    @Test func `a lost acknowledgement of the last chunk is told by the next question`() throws {
        let fixture = try UploaderFixture([2: .responseLost])
        let file = try fixture.phone.makeFile(count: 200_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.methods == ["POST", "PATCH", "HEAD"])
        #expect(fixture.sentBytes == 200_000)
        #expect(fixture.heard.all.count { $0 == .finished(identity: "photo") } == 1)
    }

    @Test func `a lost answer to the creation leads to one upload`() throws {
        let fixture = try UploaderFixture([1: .responseLost, 2: .responseLost])
        let file = try fixture.phone.makeFile(count: 200_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.server.uploads.count == 1)
        #expect(
            Set(fixture.phone.transport.seen.prefix(3).map { $0["Idempotency-Key"] }).count == 1
        )
        #expect(fixture.methods == ["POST", "POST", "POST", "HEAD", "PATCH"])
        #expect(fixture.isIdentical("u1", to: file))
    }

    // What the documentation says of servers that do not honour the key.
    @Test func `without keys at the server a lost creation leaves one empty orphan`() throws {
        let fixture = try UploaderFixture([1: .responseLost])
        fixture.server.ignoreKeys()
        let file = try fixture.phone.makeFile(count: 200_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.server.uploads.count == 2)
        #expect(fixture.server.uploads["u1"]?.bytes.isEmpty == true)
        #expect(fixture.isIdentical("u2", to: file))
    }

    @Test func `an upload that the server lost is begun anew, once`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 3_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.milliseconds(1_000))
        fixture.server.forget("u1")
        fixture.phone.pass(.seconds(60))
        #expect(fixture.isIdentical("u2", to: file))
        #expect(fixture.heard.all.contains(.restarted(identity: "photo")))
        #expect(fixture.heard.all.last == .finished(identity: "photo"))
        let keys = fixture.phone.transport.seen.compactMap { $0["Idempotency-Key"] }
        #expect(keys.count == 2 && keys[0] != keys[1])
    }

    @Test func `an upload that the server loses again is told as expired`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 20_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.milliseconds(1_000))
        fixture.server.forget("u1")
        fixture.phone.pass(.milliseconds(9_000))
        fixture.server.forget("u2")
        fixture.phone.pass(.seconds(60))
        #expect(fixture.heard.all.last == .failed(identity: "photo", .expired(status: 410)))
        #expect(try fixture.status() == .failed(.expired(status: 410)))
        #expect(fixture.settled.all.map(\.failure) == [.expired(status: 410)])
        // It may be promised again.
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.isIdentical("u3", to: file))
    }

    @Test func `a locked upload is waited for and keeps its address`() throws {
        let fixture = try UploaderFixture([3: .refused(423), 4: .refused(423)])
        let file = try fixture.phone.makeFile(count: 600_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.methods == ["POST", "PATCH", "PATCH", "HEAD", "HEAD", "PATCH"])
        #expect(fixture.isIdentical("u1", to: file))
        #expect(fixture.server.uploads.count == 1)
    }

    @Test func `a chunk that is too large is halved and stays so`() throws {
        let fixture = try UploaderFixture([2: .refused(413)])
        let file = try fixture.phone.makeFile(count: 400_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        let sizes = fixture.phone.transport.seen.map(\.body.count)
        #expect(sizes == [0, 262_144, 131_072, 131_072, 131_072, 6_784])
        #expect(fixture.isIdentical("u1", to: file))
    }

    @Test func `a refusal for good is told and sent no more`() throws {
        let fixture = try UploaderFixture([1: .refused(400)])
        let file = try fixture.phone.makeFile(count: 1_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(600))
        #expect(fixture.methods == ["POST"])
        #expect(fixture.heard.all == [.failed(identity: "photo", .rejected(status: 400))])
    }

    @Test func `a server that asks for time gets it`() throws {
        let fixture = try UploaderFixture([2: .refused(503, [HTTPHeader("Retry-After", "30")])])
        let file = try fixture.phone.makeFile(count: 1_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        let seen = fixture.phone.transport.seen
        #expect(fixture.methods == ["POST", "PATCH", "HEAD", "PATCH"])
        #expect(seen[2].at - seen[1].at >= .milliseconds(30_100))
        #expect(seen[2].at - seen[1].at <= .milliseconds(31_200))
    }

    @Test func `a file that is gone, or another one, is told`() throws {
        let fixture = try UploaderFixture()
        #expect(throws: UploadFailure.sourceUnavailable) {
            try fixture.upload(fixture.phone.folder + "/none.jpg")
        }
        fixture.phone.path.set(isSatisfied: false)
        fixture.run()
        let gone = try fixture.phone.makeFile("gone.jpg", count: 1_000)
        let changed = try fixture.phone.makeFile("changed.jpg", count: 1_000)
        try fixture.upload(gone, as: "gone")
        try fixture.upload(changed, as: "changed")
        try FileManager.default.removeItem(atPath: gone)
        _ = try fixture.phone.makeFile("changed.jpg", count: 2_000)
        fixture.phone.path.set(isSatisfied: true)
        fixture.phone.pass(.seconds(60))
        #expect(try fixture.status("gone") == .failed(.sourceUnavailable))
        #expect(try fixture.status("changed") == .failed(.sourceChanged))
        #expect(fixture.methods.isEmpty)
    }

    @Test func `a file that is gone after the server had all of it is no failure`() throws {
        let fixture = try UploaderFixture([2: .responseLost])
        let file = try fixture.phone.makeFile(count: 200_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.milliseconds(250))
        try FileManager.default.removeItem(atPath: file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.methods == ["POST", "PATCH", "HEAD"])
        #expect(fixture.heard.all.last == .finished(identity: "photo"))
    }

    @Test func `an upload that is taken back sends nothing more`() throws {
        let fixture = try UploaderFixture()
        fixture.server.setRate(10_000)
        let file = try fixture.phone.makeFile(count: 1_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(5))
        let uploader = fixture.uploader
        fixture.phone.start { try? await uploader.cancel("photo") }
        fixture.phone.pass(.seconds(600))
        #expect(fixture.methods == ["POST", "PATCH", "DELETE"])
        #expect(fixture.server.uploads.isEmpty)
        #expect(try fixture.status() == .unknown)
        #expect(fixture.settled.all.isEmpty)
    }

    @Test func `checksums are of the chunk`() throws {
        let fixture = try UploaderFixture { $0.sendsChecksums = true }
        let file = fixture.phone.folder + "/abc"
        try Data("abc".utf8).write(to: URL(fileURLWithPath: file))
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        // SHA-1 of "abc" (FIPS 180-2, A.1) in base64.
        let field = fixture.phone.transport.seen.last?["Upload-Checksum"]
        #expect(field == "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=")
    }

    @Test func `a dead socket after a change of the path is noticed in seconds`() throws {
        let fixture = try UploaderFixture()
        let server = fixture.server
        let isDead = Heard<Bool>()
        fixture.phone.transport.serve { seen, number in
            if number == 3 {
                isDead.hear(true)
                return .never
            }
            return server.serve(seen, number)
        }
        let file = try fixture.phone.makeFile(count: 600_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(2))
        #expect(isDead.all == [true])
        fixture.phone.path.set(isSatisfied: true, interface: "cellular")
        // Five seconds of grace, at most a second of backoff, then a question and the rest.
        fixture.phone.pass(.seconds(9))
        #expect(fixture.isIdentical("u1", to: file))
        #expect(fixture.methods.prefix(4) == ["POST", "PATCH", "PATCH", "HEAD"])
    }

    @Test func `after its time an upload is given up and told`() throws {
        let fixture = try UploaderFixture { $0.giveUpAfter = .seconds(3_600) }
        fixture.phone.path.set(isSatisfied: false)
        let file = try fixture.phone.makeFile(count: 1_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(3_601))
        #expect(
            fixture.heard.all == [.waitingForPath, .failed(identity: "photo", .tooOld)]
        )
    }

    @Test func `two uploads go one after the other, and a waiting one does not hold up`() throws {
        let fixture = try UploaderFixture([1: .refused(500)])
        let first = try fixture.phone.makeFile("1.jpg", count: 1_000)
        let second = try fixture.phone.makeFile("2.jpg", count: 1_000)
        fixture.phone.random = FixedRandom(share: 0.9)
        try fixture.relaunch()
        try fixture.upload(first, as: "1")
        try fixture.upload(second, as: "2")
        fixture.phone.pass(.milliseconds(400))
        #expect(fixture.heard.all.contains(.finished(identity: "2")))
        fixture.phone.pass(.seconds(10))
        #expect(fixture.heard.all.last == .finished(identity: "1"))
    }
}
