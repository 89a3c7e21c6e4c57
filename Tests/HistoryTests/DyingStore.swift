import LiveClient
import SQLiteStore
import Synchronization

/// Real files of a process that dies at its k-th operation that changes something.
///
/// From then on every call answers `fenced`, and the files are left as they are.
final class DyingStore: FileStore {
    private let files = PosixFileStore()
    private let life: Mutex<(left: Int, done: Int)>

    /// Reading locks still to be taken before `meddle`, which runs once.
    private let locks: Mutex<Int>
    private let meddle: @Sendable () -> Void

    init(dyingAt operation: Int) {
        life = Mutex((operation, 0))
        locks = Mutex(0)
        meddle = {}
    }

    /// A process that lives, before whose k-th reading lock `meddle` runs.
    init(meddlingAtLock lock: Int, _ meddle: @escaping @Sendable () -> Void) {
        life = Mutex((.max, 0))
        locks = Mutex(lock)
        self.meddle = meddle
    }

    /// Whether `meddle` ran.
    var hasMeddled: Bool { locks.withLock { $0 <= 0 } }

    func takeLock() {
        let isNow = locks.withLock { left in
            left -= 1
            return left == 0
        }
        if isNow { meddle() }
    }

    /// Operations that changed something.
    var operations: Int { life.withLock { $0.done } }

    var isDead: Bool { life.withLock { $0.left <= 0 } }

    func change() throws(FileStoreError) {
        let isDead = life.withLock { life in
            if life.left > 0 { life.left -= 1 }
            if life.left > 0 { life.done += 1 }
            return life.left <= 0
        }
        if isDead { throw .fenced }
    }

    func live() throws(FileStoreError) {
        if isDead { throw .fenced }
    }

    func open(_ path: String, create: Bool) throws(FileStoreError) -> any StoredFile {
        let isNew = try !files.exists(path)
        if create && isNew { try change() } else { try live() }
        return DyingFile(try files.open(path, create: create), of: self)
    }

    func remove(_ path: String, syncDirectory: Bool) throws(FileStoreError) {
        try change()
        try files.remove(path, syncDirectory: syncDirectory)
    }

    func rename(_ path: String, to target: String) throws(FileStoreError) {
        try change()
        try files.rename(path, to: target)
    }

    func syncDirectory(of path: String) throws(FileStoreError) {
        try change()
        try files.syncDirectory(of: path)
    }

    func exists(_ path: String) throws(FileStoreError) -> Bool {
        try live()
        return try files.exists(path)
    }

    func metadata(of path: String) throws(FileStoreError) -> FileMetadata? {
        try live()
        return try files.metadata(of: path)
    }

    func list(prefix: String) throws(FileStoreError) -> [String] {
        try live()
        return try files.list(prefix: prefix)
    }
}

/// A file of a `DyingStore`; alone on it, so locks are always granted.
final class DyingFile: StoredFile {
    private let file: any StoredFile
    private let store: DyingStore

    init(_ file: any StoredFile, of store: DyingStore) {
        self.file = file
        self.store = store
    }

    func size() throws(FileStoreError) -> Int64 {
        try store.live()
        return try file.size()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileStoreError)
        -> Int
    {
        try store.live()
        return try file.read(into: buffer, at: offset)
    }

    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileStoreError) {
        try store.change()
        try file.write(buffer, at: offset)
    }

    func truncate(to size: Int64) throws(FileStoreError) {
        try store.change()
        try file.truncate(to: size)
    }

    func sync(full: Bool) throws(FileStoreError) {
        try store.change()
        try file.sync(full: full)
    }

    func lock(_ level: FileLockLevel) throws(FileStoreError) -> Bool {
        try store.live()
        if level == .shared { store.takeLock() }
        return true
    }

    func unlock(to level: FileLockLevel) {}

    func isReserved() throws(FileStoreError) -> Bool { false }

    var sharedMemory: (any FileSharedMemory)? { nil }

    func close() {
        file.close()
    }
}
