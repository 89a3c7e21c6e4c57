import ClientModules
import Foundation
import Quantities
import Testing

/// The disk tier and the server's answers, through the cache.
@Suite struct ImageStorageTests {
    let key: ImageKey

    init() throws {
        key = try ImageFixture.key("a")
    }

    func files(of fixture: ImageFixture) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: URL(fileURLWithPath: fixture.phone.folder + "/images"),
            includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }

    @Test func `a picture outlives the process`() throws {
        let fixture = try ImageFixture()
        fixture.serve()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        fixture.relaunch()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network", "disk"])
    }

    // Files of 1,000 bytes and about a hundred of header in 3,500: three fit, never more.
    @Test func `the cap on disk holds at each write, the least recently used goes`() async throws {
        let fixture = try ImageFixture(.init(diskLimit: ByteCount(3_500)))
        fixture.serve(WordDecoder.picture(600, 600, count: 1_000))
        for name in ["a", "b", "c", "d", "e"] {
            fixture.ask(try ImageFixture.key(name))
            fixture.phone.pass(.seconds(1))
            var sum: Int64 = 0
            for file in try files(of: fixture) { sum += Int64(try Data(contentsOf: file).count) }
            #expect(sum <= 3_500)
        }
        #expect(try files(of: fixture).count == 3)
        fixture.relaunch()
        for name in ["a", "e"] {
            fixture.ask(try ImageFixture.key(name))
            fixture.phone.pass(.seconds(1))
        }
        #expect(fixture.outcome.all.suffix(2) == ["network", "disk"])
    }

    // Whatever is torn off, and whichever byte is changed: it is found, removed, fetched again.
    @Test(arguments: [0.0, 0.1, 0.6, 0.99])
    func `a torn file is never shown`(share: Double) throws {
        let fixture = try ImageFixture()
        fixture.serve()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        let file = try #require(try files(of: fixture).first)
        let whole = try Data(contentsOf: file)
        try whole.prefix(Int(Double(whole.count) * share)).write(to: file)
        fixture.relaunch()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network", "network"])
        #expect(fixture.heard.all == [.damagedFileRemoved])
        fixture.relaunch()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all.last == "disk")
    }

    @Test func `a changed byte is found wherever it is`() throws {
        let fixture = try ImageFixture()
        fixture.serve()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        let file = try #require(try files(of: fixture).first)
        let whole = try Data(contentsOf: file)
        for position in stride(from: 0, to: whole.count, by: 13) {
            var changed = whole
            changed[position] ^= 0x20
            try changed.write(to: file)
            fixture.relaunch()
            fixture.ask(key)
            fixture.phone.pass(.seconds(1))
            #expect(fixture.outcome.all.last == "network", "byte \(position)")
        }
    }

    @Test func `what the system removed is fetched again`() throws {
        let fixture = try ImageFixture()
        fixture.serve()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        for file in try files(of: fixture) { try FileManager.default.removeItem(at: file) }
        fixture.cache.removeBitmaps()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network", "network"])
    }

    @Test func `a full disk costs the disk tier alone`() throws {
        let fixture = try ImageFixture(files: FullStore())
        fixture.serve()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network", "memory"])
        let failures = fixture.heard.all.filter {
            if case .storageFailed = $0 { true } else { false }
        }
        #expect(failures.count == 1)
    }

    // G1: half a picture, with a length that says so, or without.
    @Test(arguments: [["Content-Length"], []])
    func `half a picture is not kept`(fields: [String]) throws {
        let fixture = try ImageFixture()
        let whole = WordDecoder.picture(600, 600)
        let half = String(whole.prefix(whole.count / 2))
        fixture.phone.transport.serve { _, number in
            let headers = fields.map { HTTPHeader($0, "\(whole.utf8.count)") }
            return .answer(200, headers, body: number == 1 ? half : whole)
        }
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == [fields.isEmpty ? "unreadable" : "truncated"])
        #expect(
            try !FileManager.default.fileExists(atPath: fixture.phone.folder + "/images")
                || files(of: fixture).isEmpty
        )
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all.last == "network")
    }

    @Test func `a page in place of a picture is not kept`() throws {
        let fixture = try ImageFixture()
        fixture.serve("<html>log in</html>")
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        fixture.serve()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["undecodable", "network"])
    }

    // G4: a 404 is believed for 30 s, then asked about again.
    @Test func `a 404 is believed for a while only`() throws {
        let fixture = try ImageFixture()
        fixture.phone.transport.serve { _, _ in .answer(404) }
        for _ in 1...3 {
            fixture.ask(key)
            fixture.phone.pass(.seconds(1))
        }
        #expect(fixture.phone.transport.seen.count == 1)
        fixture.serve()
        fixture.phone.pass(.seconds(30))
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        let refusal = "refused(status: 404)"
        #expect(fixture.outcome.all == [refusal, refusal, refusal, "network"])
    }

    @Test func `a stale picture is asked about with its validator, and 304 costs no body`() throws {
        let fixture = try ImageFixture()
        let picture = WordDecoder.picture(600, 600)
        let headers = [HTTPHeader("ETag", "\"v1\""), HTTPHeader("Cache-Control", "max-age=60")]
        fixture.phone.transport.serve { request, _ in
            request["If-None-Match"] == "\"v1\""
                ? .answer(304, headers) : .answer(200, headers, body: picture)
        }
        for _ in 1...3 {
            fixture.ask(key)
            fixture.phone.pass(.seconds(61))
            fixture.cache.removeBitmaps()
        }
        #expect(fixture.outcome.all == ["network", "disk", "disk"])
        #expect(
            fixture.phone.transport.seen.map { $0["If-None-Match"] } == [nil, "\"v1\"", "\"v1\""]
        )
        // The answer made it fresh for another 60 s.
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        fixture.cache.removeBitmaps()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.phone.transport.seen.count == 4)
    }

    @Test(arguments: [Reply.fails(.notConnectedToInternet), .answer(503)])
    func `a stale picture is shown when the line or the server is gone`(reply: Reply) throws {
        let fixture = try ImageFixture(.init(freshFor: .seconds(60)))
        fixture.serve()
        fixture.ask(key)
        fixture.phone.pass(.seconds(61))
        fixture.cache.removeBitmaps()
        fixture.phone.transport.serve { _, _ in reply }
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network", "disk"])
        #expect(fixture.heard.all.contains(.servedStale))
    }

    @Test func `a wall clock that went back makes nothing stale`() throws {
        let fixture = try ImageFixture(.init(freshFor: .seconds(60)))
        fixture.serve()
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        fixture.cache.removeBitmaps()
        fixture.phone.clock.jumpWall(by: .seconds(-86_400))
        fixture.ask(key)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.outcome.all == ["network", "disk"])
    }
}
