/// What is known of a file without opening it.
public struct FileMetadata: Equatable, Sendable {
    /// Bytes in the file.
    public var size: Int64
    /// Changes when another file takes the name: an inode number.
    public var identity: UInt64
    /// Last change, in nanoseconds since 1970 by the store's wall clock.
    public var modifiedNanoseconds: Int64

    /// Makes a description.
    public init(size: Int64, identity: UInt64, modifiedNanoseconds: Int64) {
        self.size = size
        self.identity = identity
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}
