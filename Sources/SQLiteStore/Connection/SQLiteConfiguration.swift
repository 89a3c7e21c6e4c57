/// How a connection is opened.
///
/// The defaults suit an app's store that must survive a power loss.
public struct SQLiteConfiguration: Equatable, Sendable {
    /// Where changes wait until they are committed.
    public enum JournalMode: String, Sendable, CaseIterable {
        case delete = "DELETE"
        case truncate = "TRUNCATE"
        case persist = "PERSIST"
        case memory = "MEMORY"
        case wal = "WAL"
        case off = "OFF"
    }

    /// How often SQLite waits for the device (sqlite.org/pragma.html#pragma_synchronous).
    ///
    /// At a power loss WAL with `normal` may lose the last commits and DELETE with `full` the last
    /// one; WAL with `full` and DELETE with `extra` lose none. A killed process loses none in any.
    public enum Synchronous: String, Sendable, CaseIterable {
        case off = "OFF"
        case normal = "NORMAL"
        case full = "FULL"
        case extra = "EXTRA"
    }

    /// The journal mode; nil keeps the file's own.
    public var journalMode: JournalMode?
    /// When to wait for the device.
    public var synchronous: Synchronous
    /// Also drains the device's own cache (F_FULLFSYNC), without which Apple's `fsync` is no promise.
    public var usesFullSync: Bool
    /// How long a call waits for another connection's lock before it fails as busy.
    public var busyTimeout: Duration
    /// Whether foreign keys are enforced.
    public var enforcesForeignKeys: Bool
    /// Pages in the WAL at which a commit copies them to the database; nil keeps SQLite's 1,000.
    public var checkpointPages: Int?
    /// Most bytes of page cache; nil keeps SQLite's 2,000 KiB.
    public var cacheBytes: Int?
    /// Whether the database may be written.
    public var isReadOnly: Bool

    /// Makes a configuration.
    public init(
        journalMode: JournalMode? = .wal,
        synchronous: Synchronous = .full,
        usesFullSync: Bool = false,
        busyTimeout: Duration = .seconds(5),
        enforcesForeignKeys: Bool = true,
        checkpointPages: Int? = nil,
        cacheBytes: Int? = nil,
        isReadOnly: Bool = false
    ) {
        self.journalMode = journalMode
        self.synchronous = synchronous
        self.usesFullSync = usesFullSync
        self.busyTimeout = busyTimeout
        self.enforcesForeignKeys = enforcesForeignKeys
        self.checkpointPages = checkpointPages
        self.cacheBytes = cacheBytes
        self.isReadOnly = isReadOnly
    }
}
