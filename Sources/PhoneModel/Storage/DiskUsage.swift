import Quantities

/// What the disk was used for: the figures of `storage.*`.
package struct DiskUsage: Equatable, Sendable {
    /// Bytes in blocks now, as `du` counts them.
    package var used: ByteCount
    /// The most there ever were.
    package var peak: ByteCount
    /// Bytes handed to writes.
    package var written: ByteCount
    /// Syncs of files and folders.
    package var syncs: Int
    /// Committed transactions of each database, by name.
    package var commits: [Commits]

    /// One database's part.
    package struct Commits: Equatable, Sendable {
        /// The file's name without folder and extension.
        package var database: String
        /// How many there were.
        package var count: Int

        /// Makes a count.
        package init(database: String, count: Int) {
            self.database = database
            self.count = count
        }
    }
}
