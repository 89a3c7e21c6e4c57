/// The next request of an upload, or its end.
public enum UploadAction: Equatable, Sendable {
    /// POST: ask the server for a place.
    case create
    /// HEAD: ask the server how much it has.
    case query
    /// PATCH: send these bytes.
    case append(Range<Int64>)
    /// Nothing: the server has confirmed all bytes.
    case finish
}

/// What follows a response or an error.
public enum UploadStep: Equatable, Sendable {
    /// Take the next action at once.
    case proceed
    /// Wait as the retry policy says, then take the next action.
    case retry(AttemptFailure)
    /// The server's place is gone: a new key, and from the beginning.
    case recreate
    /// Refresh the authorization once, then take the same action again.
    case authorize
    /// It is over.
    case fail(UploadFailure)
}
