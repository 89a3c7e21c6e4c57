/// What SQLite asks of its surroundings besides files: chance, waiting, and the time of day.
///
/// A simulation gives its own, so that the same run writes the same bytes. The closures are called
/// from within SQLite calls, on the caller's thread.
public struct SQLiteVFSHost: Sendable {
    /// Fills a buffer with random bytes: temporary names, WAL salts, `randomblob`.
    public var randomness: @Sendable (UnsafeMutableRawBufferPointer) -> Void
    /// Lets time pass: how a busy connection waits for another's lock.
    public var sleep: @Sendable (Duration) -> Void
    /// Wall time in milliseconds since 1970, for `datetime('now')`.
    public var wallMilliseconds: @Sendable () -> Int64

    /// Makes a host.
    public init(
        randomness: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void,
        sleep: @escaping @Sendable (Duration) -> Void,
        wallMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.randomness = randomness
        self.sleep = sleep
        self.wallMilliseconds = wallMilliseconds
    }
}
