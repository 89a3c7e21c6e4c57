import Quantities

/// One operation that the disk carried out: what the fingerprint and the observations take in.
package struct DiskNote: Equatable, Sendable {
    /// What was done.
    package var effect: DiskEffect
    /// The file's name when it was opened, or the name acted upon.
    package var path: String
    /// The inode; names come and go, inodes never return.
    package var file: UInt64
    /// Where, in bytes; the new size for a truncation.
    package var offset: Int64
    /// How many bytes.
    package var length: Int
    /// The process.
    package var client: Int
    /// The process's local time when it was done.
    package var stamp: SimulationInstant
}
