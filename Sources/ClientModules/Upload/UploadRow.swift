import Foundation
import SQLiteStore

/// An upload as it is stored.
struct UploadRow: Sendable {
    var sequence: Int64
    var identity: String
    var file: String
    /// What the file was when it was promised.
    var source: FileMetadata
    /// The value of `Upload-Metadata`.
    var metadata: String
    /// Goes with the creation; made anew when the server lost the upload.
    var creationKey: String
    /// The server's address of it.
    var location: URL?
    var recreations: Int
    var failures: Int
    var promised: StoredInstant
}

/// Who is about an upload of a shared database.
struct UploadOwnership: Sendable {
    /// The process that goes on with it; empty for the app itself.
    var owner: String
    /// Until when it is that process's own; nil where it was promised before the database was shared.
    var claim: ProcessClaim?
}

/// Where an upload stands, as far as it is durable.
public enum UploadStatus: Sendable, Equatable {
    /// No upload of that identity was promised, or it was forgotten.
    case unknown
    /// It is under way, or waits to be.
    case pending
    /// The server has confirmed all bytes.
    case finished(location: URL?)
    /// It ended without success.
    case failed(UploadFailure)
}
