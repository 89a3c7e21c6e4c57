/// Takes promises to upload files, and keeps them while it runs.
///
/// `ChunkedUploader` is the implementation to use. The protocol is there so that the lab can put
/// another uploader, yours or a broken one, into the same app.
public protocol UploadDriving: Sendable {
    /// Promises to upload a file; when it returns, the promise is durable.
    func upload(_ source: UploadSource) async throws
    /// Takes an upload back: when it returns, nothing more of it is sent. One that has ended stays as it is.
    func cancel(_ identity: String) async throws
    /// Uploads until the task is cancelled. Call it once a launch, in a task of its own.
    func run() async
    /// Whether anything is left that the process itself has to go on with.
    func needsTime() async -> Bool
    /// Somebody has signed in: what waited for that is tried now.
    func signedIn() async
}

extension UploadDriving {
    /// An uploader that knows nothing of accounts waits for its next attempt.
    public func signedIn() async {}

    /// An uploader that does not say needs no time.
    public func needsTime() async -> Bool { false }

    /// An uploader that cannot take anything back says so.
    public func cancel(_ identity: String) async throws { throw CancellationUnsupported() }
}

/// The uploader has no way to take an upload back.
public struct CancellationUnsupported: Error, Sendable, Equatable {
    /// Makes the error.
    public init() {}
}
