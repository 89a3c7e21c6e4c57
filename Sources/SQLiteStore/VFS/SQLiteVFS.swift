import CSQLite

/// A VFS of SQLite over a `FileStore`: databases, journals and WAL files live there.
///
/// io_methods version 2: rollback-journal locks and the WAL's shared memory are the store's, so
/// connections through several VFS to one store (two processes on one phone) see each other.
/// Make one for each launch of a process, with that process's own store.
///
/// An abandoned connection may hold the C structure for ever, so a VFS that was registered once
/// keeps its shell (some 300 bytes) until the process ends; `unregister` lets go of the store.
public final class SQLiteVFS: @unchecked Sendable {
    /// The name to open connections with.
    public let name: String
    /// What it tells SQLite of the device.
    public let configuration: SQLiteVFSConfiguration
    private(set) var store: (any FileStore)?
    private(set) var host: SQLiteVFSHost?
    private let structure: UnsafeMutablePointer<sqlite3_vfs>
    private let cName: UnsafeMutablePointer<CChar>
    private var isRegistered = false
    private var wasRegistered = false
    private var temporaryFiles = 0
    /// Open files, which SQLite's own memory refers to.
    private var openFiles: [Unmanaged<SQLiteVFSFile>] = []

    /// A connection that was opened through it.
    struct Opened {
        weak var connection: SQLiteConnection?
    }
    /// Those of the running world, where SQLite has an arena.
    var connections: [Opened] = []

    /// Makes a VFS that is not registered yet.
    public init(
        name: String,
        store: any FileStore,
        host: SQLiteVFSHost,
        configuration: SQLiteVFSConfiguration = .init()
    ) {
        self.name = name
        self.store = store
        self.host = host
        self.configuration = configuration
        cName = Self.copy(name)
        structure = .allocate(capacity: 1)
        structure.initialize(to: Self.template())
        structure.pointee.zName = UnsafePointer(cName)
        structure.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        structure.deallocate()
        cName.deallocate()
    }

    /// Makes the VFS known to SQLite under its name.
    ///
    /// SQLite draws its process-wide randomness from the default VFS, so a simulation that wants
    /// the same bytes each time registers its own with `asDefault`.
    public func register(asDefault: Bool = false) throws(SQLiteError) {
        precondition(store != nil, "the VFS \(name) was unregistered: make another")
        if !wasRegistered {
            wasRegistered = true
            _ = Unmanaged.passRetained(self)
            SQLiteHeap.worldUses(self)
        }
        isRegistered = true
        let result = sqlite3_vfs_register(structure, asDefault ? 1 : 0)
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, connection: nil, sql: nil)
        }
    }

    /// Takes the VFS away and lets go of its store.
    ///
    /// Connections that are still open through it can open no further file: close them before, or
    /// be sure that their process is dead.
    public func unregister() {
        guard isRegistered else { return }
        isRegistered = false
        sqlite3_vfs_unregister(structure)
        store = nil
        host = nil
    }

    /// Gives back the memory of connections whose process is dead and that nobody closed.
    ///
    /// To be called when none of its code is on a stack any more, nor ever will be. Without effect where
    /// SQLite has its own allocator: there, code of a dead process may still run beside.
    public func closeAbandoned() {
        let left = connections
        connections = []
        for opened in left { opened.connection?.abandon() }
    }

    func opened(_ file: Unmanaged<SQLiteVFSFile>) {
        openFiles.append(file)
    }

    func closed(_ file: Unmanaged<SQLiteVFSFile>) {
        openFiles.removeAll { $0.toOpaque() == file.toOpaque() }
    }

    /// SQLite's memory of this VFS is gone: nothing leads here any more.
    func discard() {
        unregister()
        let abandoned = openFiles
        openFiles = []
        for file in abandoned { file.release() }
        if wasRegistered { Unmanaged.passUnretained(self).release() }
    }

    /// The C structure that SQLite knows it by.
    var sqliteStructure: UnsafeMutablePointer<sqlite3_vfs> { structure }

    /// Bytes that SQLite sets aside for an open file.
    static let fileStructureSize = Int32(MemoryLayout<SQLiteVFSFile.Slot>.stride)

    /// Forgets SQLite's process-wide random state; the next draw seeds it from the default VFS.
    public static func resetGlobalRandomness() {
        sqlite3_randomness(0, nil)
    }

    /// The version of the SQLite library, such as `3.40.1`.
    public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// The path of a relative or absolute name.
    func fullPath(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        let folder = configuration.directory
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    func nextTemporaryPath() -> String {
        temporaryFiles += 1
        return "\(configuration.temporaryPrefix)\(temporaryFiles)"
    }

    private static func copy(_ name: String) -> UnsafeMutablePointer<CChar> {
        let bytes = name.utf8CString
        let copied = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { (copied + index).initialize(to: byte) }
        return copied
    }
}
