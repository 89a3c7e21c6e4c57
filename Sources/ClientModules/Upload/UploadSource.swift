/// A file to upload, and what both sides know it by.
public struct UploadSource: Sendable, Equatable {
    /// Path within the environment's file store.
    ///
    /// The file must stay as it is until the upload ended.
    public var file: String
    /// What the app knows the upload by; unique, sent as `filename` in `Upload-Metadata`.
    public var identity: String
    /// Further metadata for the server; keys are ASCII without spaces and commas.
    public var metadata: [String: String]

    /// Names a source.
    public init(file: String, identity: String, metadata: [String: String] = [:]) {
        self.file = file
        self.identity = identity
        self.metadata = metadata
    }
}
