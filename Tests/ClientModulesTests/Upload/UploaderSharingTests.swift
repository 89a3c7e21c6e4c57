import ClientModules
import Foundation
import Testing

/// Two processes with an uploader each on one database, in real files.
@Suite struct UploaderSharingTests {
    /// An uploader of another process on the same files.
    private func other(_ fixture: UploaderFixture) throws -> ChunkedUploader {
        var environment = fixture.phone.environment
        environment.process = "share"
        let endpoint = try #require(URL(string: "https://up.example/files"))
        var configuration = UploadConfiguration(endpoint: endpoint)
        let settled = fixture.settled
        configuration.settle = { settlement, _ in settled.hear(settlement) }
        return try ChunkedUploader(environment: environment, configuration: configuration)
    }

    // 20 MB at 1 MiB/s take 19 s: the claims are renewed, and the other process has its look in between.
    @Test(arguments: [0, 300, 1_000])
    func `what one process uploads the other leaves alone`(begins: Int) throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 20_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.milliseconds(begins))
        let other = try other(fixture)
        fixture.phone.start { await other.run() }
        fixture.phone.pass(.seconds(200))
        #expect(fixture.isIdentical("u1", to: file))
        #expect(fixture.server.uploads.count == 1)
        #expect(fixture.sentBytes == 20_000_000)
        #expect(!fixture.methods.contains("HEAD"))
        #expect(fixture.settled.all.count == 1)
    }

    // The other process comes at 1 s, as the app dies, and gives it a minute.
    @Test func `what a process that died had under way the other goes on with`() throws {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 3_000_000)
        fixture.run()
        try fixture.upload(file)
        fixture.phone.pass(.seconds(1))
        fixture.phone.launch()
        let other = try other(fixture)
        fixture.phone.start { await other.run() }
        let before = fixture.methods.count
        fixture.phone.pass(.seconds(59))
        #expect(fixture.methods.count == before)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.methods[before] == "HEAD")
        #expect(fixture.methods.count { $0 == "POST" } == 1)
        #expect(fixture.isIdentical("u1", to: file))
        #expect(fixture.settled.all.count == 1)
    }

    @Test func `an app takes its own upload back at once, and another's when its claim is over`()
        throws
    {
        let fixture = try UploaderFixture()
        let file = try fixture.phone.makeFile(count: 3_000_000)
        let other = try other(fixture)
        try fixture.phone.perform {
            try await other.upload(UploadSource(file: file, identity: "photo"))
        }
        fixture.phone.start { await other.run() }
        fixture.phone.pass(.seconds(1))
        let before = fixture.methods.count
        // Both die; the app is opened again.
        try fixture.relaunch()
        fixture.phone.pass(.seconds(50))
        #expect(fixture.methods.count == before)
        fixture.phone.pass(.seconds(70))
        #expect(fixture.isIdentical("u1", to: file))
        #expect(fixture.server.uploads.count == 1)
    }
}
