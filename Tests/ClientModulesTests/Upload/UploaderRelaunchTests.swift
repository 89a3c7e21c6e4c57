import ClientModules
import Foundation
import Quantities
import SQLiteStore
import Testing

@Suite struct UploaderRelaunchTests {
    @Test func `what was promised is uploaded by the next launch`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 300_000)
        try fixture.upload(file)
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.isIdentical("u1", to: file))
        // Nobody knows whether the earlier launch asked for the creation, so the offset is asked.
        #expect(fixture.methods == ["POST", "HEAD", "PATCH", "PATCH"])
    }

    @Test func `a killed upload goes on at the server's offset under its address`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 3_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.milliseconds(1_000))
        let before = try #require(fixture.progress.last)
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.isIdentical("u1", to: file))
        #expect(fixture.server.uploads.count == 1)
        #expect(fixture.methods.count { $0 == "POST" } == 1)
        let progress = fixture.progress
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(progress.contains { $0 >= before })
        #expect(fixture.settled.all.count == 1)
    }

    @Test func `a kill between the creation and its answer makes no second upload`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 300_000)
        fixture.run()
        try fixture.upload(file)
        // The server has made it after 0 s and answers after 0.1 s.
        fixture.phone.pass(.milliseconds(50))
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.server.uploads.count == 1)
        #expect(fixture.methods.prefix(3) == ["POST", "POST", "HEAD"])
        #expect(fixture.isIdentical("u1", to: file))
    }

    // A kill at any moment: at most what was under way is sent twice, and nothing else is.
    @Test(arguments: Array(stride(from: 0, through: 3_600, by: 150)))
    func `a kill at any moment loses nothing and repeats one chunk at most`(
        _ milliseconds: Int
    ) throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 3_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.milliseconds(milliseconds))
        let largest = fixture.phone.transport.seen.map(\.body.count).max() ?? 0
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.isIdentical("u1", to: file))
        #expect(fixture.server.uploads.count == 1)
        #expect(fixture.settled.all.count == 1)
        #expect(fixture.sentBytes <= 3_000_000 + largest)
        #expect(fixture.heard.all.contains(.finished(identity: "photo")))
    }

    @Test func `the same promise again is the same upload, also when it is finished`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 1_000)
        fixture.run()
        try fixture.upload(file)
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        try fixture.upload(file)
        try fixture.relaunch()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.methods == ["POST", "PATCH"])
        #expect(fixture.settled.all.count == 1)
        let uploader = fixture.uploader
        try fixture.phone.perform { try await uploader.forget("photo") }
        #expect(try fixture.status() == .unknown)
    }

    @Test func `an upload promised anew after it was taken back is another one`() throws {
        let fixture = try UploaderFixture()
        fixture.server.setRate(10_000)
        let file = try fixture.phone.makeFile(count: 100_000)
        let other = try fixture.phone.makeFile("other.jpg", count: 50_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(5))
        let uploader = fixture.uploader
        fixture.phone.start { try? await uploader.cancel("photo") }
        try fixture.upload(other)
        fixture.phone.pass(.seconds(600))
        #expect(fixture.isIdentical("u2", to: other))
        #expect(fixture.server.uploads.count == 1)
        #expect(fixture.settled.all.count == 1)
    }

    // The state between the commit of the end and the note that the observer has heard of it.
    @Test func `an end that a kill swallowed is told by the next launch, and settled once`() throws
    {
        let fixture = try UploaderFixture([4: .refused(400)])
        let file = try fixture.phone.makeFile(count: 1_000)
        fixture.run()
        try fixture.upload(file, as: "good")
        fixture.phone.pass(.seconds(5))
        try fixture.upload(file, as: "bad")
        fixture.phone.pass(.seconds(5))
        let database = try SQLiteConnection(path: fixture.phone.folder + "/uploads.sqlite")
        try database.execute("UPDATE upload_file SET is_announced = 0")
        let before = fixture.heard.all.count
        for _ in 1...2 {
            try fixture.relaunch()
            fixture.phone.pass(.seconds(5))
        }
        #expect(
            fixture.heard.all.dropFirst(before) == [
                .finished(identity: "good"),
                .failed(identity: "bad", .rejected(status: 400)),
            ]
        )
        #expect(fixture.settled.all.map(\.identity) == ["good", "bad"])
    }

    @Test func `a row of failures keeps its pace over launches`() throws {
        let fixture = try UploaderFixture { $0.retry.jitter = .none }
        fixture.phone.transport.serve { _, _ in .fails(.cannotConnectToHost) }
        let file = try fixture.phone.makeFile(count: 1_000)
        fixture.run()
        try fixture.upload(file)
        // 0, then 1, 2 and 4 s after each failure of 0.1 s: 0, 1.1, 3.2, 7.3.
        fixture.phone.pass(.seconds(8))
        #expect(fixture.methods.count == 4)
        try fixture.relaunch { $0.retry.jitter = .none }
        // The wait of 8 s from 7.4 s on is kept: next at 15.4.
        fixture.phone.pass(.seconds(7))
        #expect(fixture.methods.count == 4)
        fixture.phone.pass(.milliseconds(500))
        #expect(fixture.methods.count == 5)
    }

    // Asked at 0.2 s to come again 30 s later; the next launch begins at 10 s, of the same boot or of another,
    // whose clock says 5 s and where the 30 s begin anew. A route comes 5 s later.
    @Test(arguments: [false, true])
    func `a new path is no reason to come before the server wants it`(boots: Bool) throws {
        let fixture = try UploaderFixture([2: .refused(503, [HTTPHeader("Retry-After", "30")])])
        let file = try fixture.phone.makeFile(count: 1_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(10))
        if boots { fixture.phone.clock.reboot(after: .seconds(1)) }
        fixture.phone.path.set(isSatisfied: false)
        try fixture.relaunch()
        fixture.phone.pass(.seconds(5))
        fixture.phone.path.set(isSatisfied: true)
        fixture.phone.pass(.seconds(boots ? 24 : 15))
        #expect(fixture.methods == ["POST", "PATCH"])
        fixture.phone.pass(.seconds(60))
        #expect(fixture.methods == ["POST", "PATCH", "HEAD", "PATCH"])
    }

    @Test func `a 500 to the question is no reason to begin anew`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 2_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.milliseconds(1_000))
        let count = fixture.methods.count
        fixture.server.setFate(count + 1, .refused(500))
        fixture.server.setFate(count + 2, .refused(502))
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.server.uploads.count == 1)
        #expect(fixture.isIdentical("u1", to: file))
    }
}
