/// Mistakes that telemetry queues shipped, to be put into one that is right without them.
struct EventDefects: OptionSet, Sendable {
    let rawValue: Int

    /// What cannot be read is skipped, and what was sent is taken away by its place in the line.
    static let takenAwayByPlace = Self(rawValue: 1 << 0)
    /// A batch that the server refuses is tried again as it is.
    static let refusedBatchStays = Self(rawValue: 1 << 1)
    /// All that waits is read at once and goes into one batch.
    static let wholeBacklogAtOnce = Self(rawValue: 1 << 2)
}
