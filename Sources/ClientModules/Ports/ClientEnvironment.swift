import SQLiteStore

/// All that a module needs of its surroundings, in one value: real ones in an app, simulated ones in the lab.
public struct ClientEnvironment: Sendable {
    /// Sends requests.
    public var transport: any HTTPTransport
    /// Transfers that the system owns; nil where it offers none.
    public var backgroundTransfers: (any BackgroundTransfers)?
    /// Time while nobody looks; nil where the system offers none.
    public var background: (any BackgroundWork)?
    /// Monotonic and wall time.
    public var clock: any ClientClock
    /// Jitter and identifiers.
    public var random: any ClientRandom
    /// The way to the internet.
    public var path: any PathMonitoring
    /// Lifecycle and memory pressure.
    public var signals: any DeviceSignals
    /// Plain files.
    public var files: any FileStore
    /// The SQLite VFS that keeps databases on the same storage as `files`; nil for the default one.
    public var sqliteVFS: String?
    /// Folder, within `files` and the VFS, for what must survive.
    public var directory: String
    /// Declares memory held for long.
    public var memory: any MemoryMeter
    /// Names this process among those that share the directory; empty for the app itself.
    ///
    /// Each extension, and each process beside the app's, has a name, the same at every launch: a bundle
    /// identifier, an Android process name. The system runs one process of a name at a time; where it may run
    /// several, give each a name of its own.
    public var process: String

    /// Makes an environment.
    public init(
        transport: any HTTPTransport,
        backgroundTransfers: (any BackgroundTransfers)? = nil,
        background: (any BackgroundWork)? = nil,
        clock: any ClientClock,
        random: any ClientRandom,
        path: any PathMonitoring,
        signals: any DeviceSignals,
        files: any FileStore,
        sqliteVFS: String? = nil,
        directory: String,
        memory: any MemoryMeter,
        process: String = ""
    ) {
        self.transport = transport
        self.backgroundTransfers = backgroundTransfers
        self.background = background
        self.clock = clock
        self.random = random
        self.path = path
        self.signals = signals
        self.files = files
        self.sqliteVFS = sqliteVFS
        self.directory = directory
        self.memory = memory
        self.process = process
    }
}
