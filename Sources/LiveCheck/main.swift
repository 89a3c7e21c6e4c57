import ClientModules
import Foundation
import LiveClient
import Quantities

// Uploads one file with the shipped uploader to a real tus server; `scripts/live-check` kills it midway.
//   LiveCheck FILE ENDPOINT FOLDER
// Prints one line for each event, the last one "finished" (exit 0) or "failed" (exit 1).

let arguments = CommandLine.arguments
guard arguments.count == 4, let endpoint = URL(string: arguments[2]) else {
    FileHandle.standardError.write(Data("usage: LiveCheck FILE ENDPOINT FOLDER\n".utf8))
    exit(64)
}

let (events, sink) = AsyncStream<UploadEvent>.makeStream()
// Small chunks and quick retries, so that a check of seconds sees many of each.
let configuration = UploadConfiguration(
    endpoint: endpoint,
    chunk: QuantityRange(.kibibytes(256), .mebibytes(2)),
    chunkTime: QuantityRange(.milliseconds(500), .seconds(1)),
    retry: RetryPolicy(base: .milliseconds(200), ceiling: .seconds(2), deadline: nil)
)
let uploader = try ChunkedUploader(
    environment: .live(directory: arguments[3]),
    configuration: configuration
) { sink.yield($0) }

let status = try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { await uploader.run() }
    // tuspyserver answers HEAD only for uploads that have a file type.
    try await uploader.upload(
        UploadSource(
            file: arguments[1],
            identity: "live-check",
            metadata: ["filetype": "application/octet-stream"]
        )
    )
    var status: Int32 = 1
    if case .finished = try await uploader.status(of: "live-check") {
        sink.yield(.finished(identity: "live-check"))
    }
    for await event in events {
        // Unbuffered: what a kill cuts off must not be lost in a buffer.
        try FileHandle.standardOutput.write(contentsOf: Data((Report.line(of: event) + "\n").utf8))
        guard let end = Report.exitStatus(of: event) else { continue }
        status = end
        break
    }
    group.cancelAll()
    return status
}
exit(status)
