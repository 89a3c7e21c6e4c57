import ClientModules
import Foundation
import Lab
import SQLiteStore

/// An uploader that hands over pieces of one size, whatever becomes of them.
actor FixedPieceUploader: UploadDriving {
    private let launch: LaunchContext
    private let size: Int64
    private var promised: [(source: UploadSource, size: Int64, url: URL)] = []

    init(_ launch: LaunchContext, size: Int64) {
        self.launch = launch
        self.size = size
    }

    func upload(_ source: UploadSource) async throws {
        guard let found = try launch.environment.files.metadata(of: source.file) else {
            throw UploadFailure.sourceUnavailable
        }
        let name = Data(source.identity.utf8).base64EncodedString()
        let response = try await send(
            "POST",
            launch.server.url("/files"),
            [
                HTTPHeader("Upload-Length", "\(found.size)"),
                HTTPHeader("Upload-Metadata", "filename \(name)"),
            ]
        )
        guard let location = response[header: "Location"],
            let url = URL(string: location, relativeTo: launch.server.root)
        else { throw UploadFailure.serverViolatesProtocol }
        promised.append((source, found.size, url.absoluteURL))
    }

    func run() async {
        guard let transfers = launch.environment.backgroundTransfers else { return }
        var results = transfers.results().makeAsyncIterator()
        while !Task.isCancelled {
            guard let next = promised.first, let offset = await offset(at: next.url) else {
                try? await launch.environment.clock.sleep(for: .seconds(1))
                continue
            }
            guard offset < next.size else {
                promised.removeFirst()
                launch.uploadObserver(.finished(identity: next.source.identity))
                continue
            }
            do {
                try await transfers.start(
                    HTTPRequest(
                        method: "PATCH",
                        url: next.url,
                        headers: [
                            HTTPHeader("Tus-Resumable", "1.0.0"),
                            HTTPHeader("Upload-Offset", "\(offset)"),
                            HTTPHeader("Content-Type", "application/offset+octet-stream"),
                        ],
                        purpose: "uploads"
                    ),
                    file: next.source.file,
                    range: offset..<min(next.size, offset + size),
                    identifier: "piece-\(offset)"
                )
                guard let result = await results.next() else { return }
                await transfers.confirm(identifier: result.identifier)
            } catch {
                launch.log("\(next.source.identity): \(error)")
            }
        }
    }

    private func offset(at url: URL) async -> Int64? {
        let response = try? await send("HEAD", url, [])
        return response?[header: "Upload-Offset"].flatMap { Int64($0) }
    }

    private func send(
        _ method: String,
        _ url: URL,
        _ headers: [HTTPHeader]
    ) async throws -> HTTPResponse {
        let request = HTTPRequest(
            method: method,
            url: url,
            headers: [HTTPHeader("Tus-Resumable", "1.0.0")] + headers,
            purpose: "uploads"
        )
        return try await launch.environment.transport.send(request, body: .none, progress: nil)
    }
}
