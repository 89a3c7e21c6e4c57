/// What a VFS tells SQLite of the device below it, and where it puts nameless files.
public struct SQLiteVFSConfiguration: Equatable, Sendable {
    /// Promises of the device (sqlite.org/c3ref/c_iocap_atomic).
    ///
    /// Each one spares SQLite some work.
    public struct Characteristics: OptionSet, Sendable {
        /// SQLite's own bits.
        public let rawValue: Int32

        /// Makes a set of SQLite's bits.
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// A write is done wholly or not at all.
        public static let atomic = Self(rawValue: 0x1)
        /// A growing file gets its data before its new size.
        public static let safeAppend = Self(rawValue: 0x200)
        /// Writes reach the device in the order they were made.
        public static let sequential = Self(rawValue: 0x400)
        /// Bytes that were not written never change, not even at a power loss.
        public static let powersafeOverwrite = Self(rawValue: 0x1000)
    }

    /// Smallest write that disturbs no neighbour, in bytes; SQLite's own VFS says 4,096.
    public var sectorSize: Int
    /// Promises of the device; by default the one that SQLite's own VFS makes.
    public var characteristics: Characteristics
    /// Folder for relative paths.
    public var directory: String
    /// What the paths of nameless files begin with.
    ///
    /// They lose their name as soon as they are open.
    public var temporaryPrefix: String

    /// Makes a configuration.
    public init(
        sectorSize: Int = 4_096,
        characteristics: Characteristics = .powersafeOverwrite,
        directory: String = "/",
        temporaryPrefix: String = "/tmp/sqlite-"
    ) {
        self.sectorSize = sectorSize
        self.characteristics = characteristics
        self.directory = directory
        self.temporaryPrefix = temporaryPrefix
    }
}
