import ClientModules
import Foundation
import Lab
import SQLiteStore

/// An uploader with a watchdog that begins anew what takes too long: right, unless it takes a timer for time
/// in which it could work.
actor WatchdogUploader: UploadDriving {
    private static let patience = 120

    private let launch: LaunchContext
    private let trustsTimer: Bool
    private var jobs: [UploadSource] = []
    private var url: URL?
    private var isDone = false

    init(_ launch: LaunchContext, trustsTimer: Bool) {
        self.launch = launch
        self.trustsTimer = trustsTimer
    }

    func upload(_ source: UploadSource) async throws { jobs.append(source) }

    func needsTime() async -> Bool { false }

    func run() async {
        let clock = launch.environment.clock
        while !Task.isCancelled {
            guard let job = jobs.first else {
                try? await clock.sleep(for: .seconds(1))
                continue
            }
            await withDiscardingTaskGroup { group in
                group.addTask { await self.watch() }
                await self.finish(job)
                group.cancelAll()
            }
            jobs.removeFirst()
        }
    }

    /// Gives the server's place up when the patience is over.
    private func watch() async {
        let clock = launch.environment.clock
        do {
            if trustsTimer {
                try await clock.sleep(for: .seconds(Self.patience))
            } else {
                // A second that was slept through while the app was suspended counts once.
                for _ in 0..<Self.patience { try await clock.sleep(for: .seconds(1)) }
            }
        } catch {
            return
        }
        url = nil
    }

    private func finish(_ job: UploadSource) async {
        guard let size = try? launch.environment.files.metadata(of: job.file)?.size else { return }
        while !Task.isCancelled {
            do {
                guard let url else {
                    try await create(job, size)
                    continue
                }
                let response = try await send("HEAD", url, [], .none)
                guard let offset = response[header: "Upload-Offset"].flatMap({ Int64($0) }) else {
                    continue
                }
                guard offset < size else { break }
                // The place may have been given up while the answer was on its way.
                guard self.url == url else { continue }
                _ = try await send(
                    "PATCH",
                    url,
                    [
                        HTTPHeader("Upload-Offset", "\(offset)"),
                        HTTPHeader("Content-Type", "application/offset+octet-stream"),
                    ],
                    .file(path: job.file, range: offset..<size)
                )
            } catch {
                try? await launch.environment.clock.sleep(for: .seconds(2))
            }
        }
        launch.uploadObserver(.finished(identity: job.identity))
    }

    private func create(_ job: UploadSource, _ size: Int64) async throws {
        let name = Data(job.identity.utf8).base64EncodedString()
        let response = try await send(
            "POST",
            launch.server.url("/files"),
            [
                HTTPHeader("Upload-Length", "\(size)"),
                HTTPHeader("Upload-Metadata", "filename \(name)"),
                HTTPHeader("Idempotency-Key", "\"\(launch.environment.random.identifier())\""),
            ],
            .none
        )
        url = response[header: "Location"].flatMap {
            URL(string: $0, relativeTo: launch.server.root)?.absoluteURL
        }
    }

    private func send(
        _ method: String,
        _ url: URL,
        _ headers: [HTTPHeader],
        _ body: HTTPRequestBody
    ) async throws -> HTTPResponse {
        let request = HTTPRequest(
            method: method,
            url: url,
            headers: [HTTPHeader("Tus-Resumable", "1.0.0")] + headers,
            purpose: "uploads"
        )
        return try await launch.environment.transport.send(request, body: body, progress: nil)
    }
}
