/// Why there is no picture; what goes wrong on the line is a `URLError`.
public enum ImageError: Error, Sendable, Equatable {
    /// The server answered with this status; remembered for a while if it was 404 or 410.
    case refused(status: Int)
    /// Less arrived than the server had announced.
    case truncated
    /// What arrived does not begin as a picture; what is damaged further on, the decoder tells.
    case undecodable
    /// Nobody looks at it and memory is short: it is kept on disk, undecoded.
    case deferred
}

/// What a cache did, for a log or for figures.
public enum ImageCacheEvent: Sendable, Equatable {
    /// A bitmap left memory.
    case evicted(ImageKey, EvictionCause)
    /// A file on disk was not what had been written: removed, and fetched again.
    case damagedFileRemoved
    /// The server still had what is on disk (304).
    case revalidated
    /// A stale file was shown, for want of a line.
    case servedStale
    /// The disk could not be used, such as when it is full; the picture is served all the same.
    case storageFailed(description: String)

    /// Why a bitmap left memory.
    public enum EvictionCause: String, Sendable {
        /// Others needed the room.
        case room
        /// The system is short of memory.
        case pressure
        /// The app went out of sight.
        case background
    }
}
