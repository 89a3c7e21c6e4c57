import ClientModules
import Foundation
import Testing

/// An uploader on a test phone, with a server that keeps bytes.
final class UploaderFixture: @unchecked Sendable {
    let phone: TestPhone
    let server: FakeTusServer
    let heard = Heard<UploadEvent>()
    let settled = Heard<UploadSettlement>()
    private(set) var uploader: ChunkedUploader

    init(
        _ fates: [Int: FakeTusServer.Fate] = [:],
        configure: (inout UploadConfiguration) -> Void = { _ in }
    ) throws {
        phone = try TestPhone()
        server = FakeTusServer(fates)
        let server = server
        phone.transport.serve { server.serve($0, $1) }
        uploader = try Self.make(phone, heard, settled, configure)
    }

    /// Starts the uploader.
    @discardableResult
    func run() -> Task<Void, Never> {
        let uploader = uploader
        return phone.start { await uploader.run() }
    }

    /// Kills the app where it stands and launches it again on the same files.
    func relaunch(configure: (inout UploadConfiguration) -> Void = { _ in }) throws {
        phone.launch()
        uploader = try Self.make(phone, heard, settled, configure)
        run()
    }

    func upload(_ file: String, as identity: String = "photo") throws {
        let uploader = uploader
        try phone.perform {
            try await uploader.upload(UploadSource(file: file, identity: identity))
        }
    }

    func status(_ identity: String = "photo") throws -> UploadStatus {
        let uploader = uploader
        return try phone.perform { try await uploader.status(of: identity) }
    }

    /// Whether the server has exactly the file's bytes under this name.
    func isIdentical(_ name: String, to file: String) -> Bool {
        server.uploads[name]?.bytes == FileManager.default.contents(atPath: file)
    }

    /// Methods of the requests, in order.
    var methods: [String] { phone.transport.seen.map(\.request.method) }

    /// Bytes of bodies that left the phone.
    var sentBytes: Int { phone.transport.seen.reduce(0) { $0 + $1.body.count } }

    /// Committed bytes as they were told.
    var progress: [Int64] {
        heard.all.compactMap { if case .progress(_, let count, _) = $0 { count } else { nil } }
    }

    private static func make(
        _ phone: TestPhone,
        _ heard: Heard<UploadEvent>,
        _ settled: Heard<UploadSettlement>,
        _ configure: (inout UploadConfiguration) -> Void
    ) throws -> ChunkedUploader {
        let endpoint = try #require(URL(string: "https://up.example/files"))
        var configuration = UploadConfiguration(endpoint: endpoint)
        configuration.settle = { settlement, _ in settled.hear(settlement) }
        configure(&configuration)
        return try ChunkedUploader(environment: phone.environment, configuration: configuration) {
            heard.hear($0)
        }
    }
}
