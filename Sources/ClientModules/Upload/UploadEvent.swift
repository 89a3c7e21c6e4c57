/// What an uploader tells its observer, after it is durable.
public enum UploadEvent: Sendable, Equatable {
    /// The server made a place for it. Once, unless the server lost that place.
    case created(identity: String)
    /// The server confirmed this many bytes. Never from bytes that were merely sent, never falling.
    case progress(identity: String, committed: Int64, total: Int64)
    /// The server lost the upload (404 or 410): it begins again, and progress with it.
    case restarted(identity: String)
    /// The server confirmed all bytes. Told again after a kill that may have swallowed it.
    case finished(identity: String)
    /// It ended without success. Told again after a kill that may have swallowed it.
    case failed(identity: String, UploadFailure)
    /// Its attempt failed and another one follows.
    case willRetry(identity: String, after: Duration, FailureClass)
    /// Something is left to upload, but there is no route.
    case waitingForPath
    /// The database failed; the uploader tries again by itself.
    case storageFailed(description: String)
}

/// Why an upload ended without success.
public enum UploadFailure: Error, Sendable, Equatable {
    /// The server refused it for good with this status.
    case rejected(status: Int)
    /// The server lost it twice (404 or 410).
    case expired(status: Int)
    /// The file is not there any more.
    case sourceUnavailable
    /// The file is not what it was when the upload was promised: size, identity or date differ.
    case sourceChanged
    /// It was older than `UploadConfiguration.giveUpAfter`.
    case tooOld
    /// The server's answers break the protocol, such as an offset beyond the file's end.
    case serverViolatesProtocol
}

extension UploadFailure {
    /// The word that the database keeps.
    var name: String {
        switch self {
        case .rejected: "rejected"
        case .expired: "expired"
        case .sourceUnavailable: "source_unavailable"
        case .sourceChanged: "source_changed"
        case .tooOld: "too_old"
        case .serverViolatesProtocol: "server_violates_protocol"
        }
    }

    /// The status that belongs to it, if one does.
    var status: Int? {
        switch self {
        case .rejected(let status), .expired(let status): status
        case .sourceUnavailable, .sourceChanged, .tooOld, .serverViolatesProtocol: nil
        }
    }

    init(name: String, status: Int) {
        switch name {
        case "rejected": self = .rejected(status: status)
        case "expired": self = .expired(status: status)
        case "source_unavailable": self = .sourceUnavailable
        case "source_changed": self = .sourceChanged
        case "too_old": self = .tooOld
        default: self = .serverViolatesProtocol
        }
    }
}
