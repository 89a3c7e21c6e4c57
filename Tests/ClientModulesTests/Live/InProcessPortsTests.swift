import ClientModules
import Foundation
import LiveClient
import Synchronization
import Testing

/// Ports of a process that no system helps: over loopback, with real files and real time.
@Suite(.serialized) struct InProcessPortsTests {
    private static let quick = RetryPolicy(
        base: .milliseconds(10),
        ceiling: .milliseconds(10),
        deadline: nil
    )

    private static func patch(_ server: LoopbackServer) throws -> HTTPRequest {
        HTTPRequest(method: "PATCH", url: try server.url("/files/1"))
    }

    // The first connection is closed without an answer.
    @Test func `a transfer is tried again, told, and told again until it is confirmed`()
        async throws
    {
        let phone = try TestPhone()
        let file = try phone.makeFile(count: 1_000)
        let count = Mutex(0)
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? "" : "HTTP/1.1 204 No Content\r\nUpload-Offset: 900\r\n\r\n"
        }
        let transfers = InProcessTransfers(retry: Self.quick)
        var results = transfers.results().makeAsyncIterator()
        for _ in 1...2 {
            try await transfers.start(
                Self.patch(server),
                file: file,
                range: 100..<900,
                identifier: "upload-1-100"
            )
        }
        let result = try #require(await results.next())
        #expect(result.identifier == "upload-1-100")
        #expect(try result.result.get()[header: "Upload-Offset"] == "900")
        let whole = try #require(FileManager.default.contents(atPath: file))
        #expect(server.requests.map(\.body) == [whole[100..<900], whole[100..<900]])

        #expect(await transfers.pending() == ["upload-1-100"])
        var again = transfers.results().makeAsyncIterator()
        #expect(await again.next()?.identifier == "upload-1-100")
        await transfers.confirm(identifier: "upload-1-100")
        #expect(await transfers.pending() == [])
    }

    @Test func `a part that the transport does not hold in memory is sent as a file`() async throws
    {
        let phone = try TestPhone()
        let file = try phone.makeFile(count: 1_000)
        let server = try LoopbackServer { _ in "HTTP/1.1 204 No Content\r\n\r\n" }
        let folder = URL(fileURLWithPath: phone.folder + "/parts")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let transfers = InProcessTransfers(
            transport: URLSessionTransport(bufferLimit: 100),
            retry: Self.quick,
            folder: folder
        )
        var results = transfers.results().makeAsyncIterator()
        try await transfers.start(
            Self.patch(server),
            file: file,
            range: 200..<900,
            identifier: "part"
        )
        #expect(try await results.next()?.result.get().status == 204)
        let whole = try #require(FileManager.default.contents(atPath: file))
        #expect(server.requests.map(\.body) == [whole[200..<900]])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    // No try can send a file that is not there; what was taken back is told to nobody, though a server holds it.
    @Test func `a missing file ends a transfer, and so does whoever takes it back`() async throws {
        let phone = try TestPhone()
        let file = try phone.makeFile(count: 1_000)
        let server = try LoopbackServer { _ in nil }
        let transfers = InProcessTransfers(retry: Self.quick)
        var results = transfers.results().makeAsyncIterator()
        let request = try Self.patch(server)
        try await transfers.start(request, file: file, range: 0..<1_000, identifier: "held")
        await transfers.cancel(identifier: "held")
        #expect(await transfers.pending() == [])
        try await transfers.start(request, file: file + ".not", range: 0..<10, identifier: "lost")
        let result = try #require(await results.next())
        #expect(result.identifier == "lost")
        #expect(throws: URLError(.fileDoesNotExist)) { try result.result.get() }
    }

    @Test func `an uploader on them brings a file to its server`() async throws {
        let phone = try TestPhone()
        let file = try phone.makeFile(count: 300_000)
        let server = try LoopbackServer { request in
            if request.head.hasPrefix("POST") {
                return "HTTP/1.1 201 Created\r\nLocation: /files/1\r\nContent-Length: 0\r\n\r\n"
            }
            return "HTTP/1.1 204 No Content\r\nUpload-Offset: \(request.body.count)\r\n\r\n"
        }
        let environment = ClientEnvironment.live(
            directory: phone.folder,
            backgroundTransfers: InProcessTransfers(retry: Self.quick)
        )
        let (ends, ended) = AsyncStream<UploadEvent>.makeStream()
        let uploader = try ChunkedUploader(
            environment: environment,
            configuration: UploadConfiguration(
                endpoint: try server.url("/files"),
                usesBackgroundTransfers: true
            )
        ) { event in
            switch event {
            case .finished, .failed: ended.yield(event)
            default: break
            }
        }
        let running = Task { await uploader.run() }
        defer { running.cancel() }
        try await uploader.upload(UploadSource(file: file, identity: "photo"))
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == .finished(identity: "photo"))
        #expect(server.requests.map(\.body.count) == [0, 300_000])
    }

    // The second wish replaces the first, which waits an hour; the third is taken back before there is a route.
    @Test func `a window opens once its delay is over and there is a route`() async throws {
        let path = LivePathMonitor()
        path.pathChanged(to: NetworkPath(isSatisfied: false, interface: "none"))
        let background = InProcessBackground(path: path, length: .seconds(60))
        #expect(background.beginFinishing("drain").map(\.identifier) == nil)
        try background.request(BackgroundRequest(identifier: "drain", delay: .seconds(3_600)))
        try background.request(BackgroundRequest(identifier: "drain", kind: .processing))
        try background.request(BackgroundRequest(identifier: "sync"))
        background.cancelRequest(identifier: "sync")
        let offline = BackgroundRequest(identifier: "tidy", needsNetwork: false)
        try background.request(offline)
        var windows = background.windows().makeAsyncIterator()
        #expect(await windows.next()?.identifier == "tidy")
        path.pathChanged(to: NetworkPath(isSatisfied: true, interface: "ethernet"))
        let window = try #require(await windows.next())
        #expect(window.identifier == "drain")
        #expect(window.reason == .requested(.processing))
        let left = window.expiresAt - LiveClock().now
        #expect(left > .seconds(50) && left <= .seconds(60))
        window.end(succeeded: true)
    }
}
