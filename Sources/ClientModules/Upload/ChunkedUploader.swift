import Foundation
import Quantities
import SQLiteStore

/// Uploads files in resumable chunks (tus 1.0).
///
/// shape only; filled in by the next commit.
public actor ChunkedUploader: UploadDriving {
    let environment: ClientEnvironment
    let configuration: UploadConfiguration
    let observer: (@Sendable (UploadEvent) -> Void)?

    /// Opens the uploader's database; sends nothing until `run()`.
    public init(
        environment: ClientEnvironment,
        configuration: UploadConfiguration,
        observer: (@Sendable (UploadEvent) -> Void)? = nil
    ) throws {
        self.environment = environment
        self.configuration = configuration
        self.observer = observer
    }

    /// Promises to upload a file.
    public func upload(_ source: UploadSource) async throws {}

    /// Uploads until the task is cancelled.
    public func run() async {}
}
