import ClientModules
import Foundation
import Lab
import SQLiteStore

/// An uploader that hands each file to the system and trusts what it hears: right, unless it confirms first.
actor HandOverUploader: UploadDriving {
    private let launch: LaunchContext
    private let connection: SQLiteConnection
    private let confirmsFirst: Bool

    init(_ launch: LaunchContext, confirmsFirst: Bool) throws {
        self.launch = launch
        self.confirmsFirst = confirmsFirst
        connection = try SQLiteConnection(
            path: launch.environment.directory + "/handed.sqlite",
            vfs: launch.environment.sqliteVFS,
            configuration: .init(usesFullSync: true)
        )
        try connection.executeScript(
            "CREATE TABLE IF NOT EXISTS job (identity TEXT PRIMARY KEY, url TEXT, done INTEGER)"
        )
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
        try connection.execute(
            "INSERT INTO job (identity, url, done) VALUES (?, ?, 0)",
            source.identity,
            url.absoluteString
        )
        try await launch.environment.backgroundTransfers?.start(
            HTTPRequest(
                method: "PATCH",
                url: url,
                headers: [
                    HTTPHeader("Tus-Resumable", "1.0.0"), HTTPHeader("Upload-Offset", "0"),
                    HTTPHeader("Content-Type", "application/offset+octet-stream"),
                ],
                purpose: "uploads"
            ),
            file: source.file,
            range: 0..<found.size,
            identifier: source.identity
        )
    }

    func run() async {
        guard let transfers = launch.environment.backgroundTransfers else { return }
        for await result in transfers.results() {
            if confirmsFirst { await transfers.confirm(identifier: result.identifier) }
            await take(result.identifier)
            if !confirmsFirst { await transfers.confirm(identifier: result.identifier) }
        }
    }

    /// Asks whether the server has it all, and keeps the answer.
    private func take(_ identity: String) async {
        do {
            let url = try connection.statement("SELECT url FROM job WHERE identity = ?")
                .first(identity) { $0.text(at: 0) }
            guard let url = url.flatMap({ URL(string: $0) }) else { return }
            let response = try await send("HEAD", url, [])
            guard let offset = response[header: "Upload-Offset"],
                offset == response[header: "Upload-Length"]
            else { return }
            try connection.execute("UPDATE job SET done = 1 WHERE identity = ?", identity)
            launch.uploadObserver(.finished(identity: identity))
        } catch {
            launch.log("\(identity): \(error)")
        }
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
