import SQLiteStore

/// Files in memory, the simplest thing that keeps the ports' promises; one process, one thread.
final class MemoryFileStore: FileStore, @unchecked Sendable {
    /// Every later call fails, as for a dead process.
    var isFenced = false
    /// Fails the calls of this name.
    var failing: (call: String, error: FileStoreError)?
    /// Whether files offer shared memory.
    var offersMemory = true
    /// Calls so far, by name.
    private(set) var calls: [String] = []
    private(set) var files: [String: Content] = [:]

    /// A file's bytes, locks and shared memory.
    final class Content {
        var bytes: [UInt8] = []
        var handles: [MemoryFile] = []
        var regions: [UnsafeMutableRawPointer] = []

        deinit {
            for region in regions { region.deallocate() }
        }
    }

    func admit(_ call: String) throws(FileStoreError) {
        guard !isFenced else { throw .fenced }
        calls.append(call)
        if let failing, failing.call == call { throw failing.error }
    }

    func open(_ path: String, create: Bool) throws(FileStoreError) -> any StoredFile {
        try admit("open")
        if files[path] == nil {
            guard create else { throw .notFound(path: path) }
            files[path] = Content()
        }
        guard let content = files[path] else { throw .inputOutput }
        let file = MemoryFile(store: self, content: content)
        content.handles.append(file)
        return file
    }

    func remove(_ path: String, syncDirectory: Bool) throws(FileStoreError) {
        try admit(syncDirectory ? "remove and sync" : "remove")
        guard files.removeValue(forKey: path) != nil else { throw .notFound(path: path) }
    }

    func rename(_ path: String, to target: String) throws(FileStoreError) {
        try admit("rename")
        guard let content = files.removeValue(forKey: path) else { throw .notFound(path: path) }
        files[target] = content
    }

    func syncDirectory(of path: String) throws(FileStoreError) {
        try admit("syncDirectory")
    }

    func exists(_ path: String) throws(FileStoreError) -> Bool {
        try metadata(of: path) != nil
    }

    func metadata(of path: String) throws(FileStoreError) -> FileMetadata? {
        try admit("metadata")
        return files[path].map {
            FileMetadata(size: Int64($0.bytes.count), identity: 1, modifiedNanoseconds: 0)
        }
    }

    func list(prefix: String) throws(FileStoreError) -> [String] {
        try admit("list")
        return files.keys.filter { $0.hasPrefix(prefix) }.sorted()
    }
}

/// An open file in memory, with its own locks.
final class MemoryFile: StoredFile, FileSharedMemory, @unchecked Sendable {
    private let store: MemoryFileStore
    private let content: MemoryFileStore.Content
    private var level = FileLockLevel.none
    private var shared: Set<Int> = []
    private var exclusive: Set<Int> = []

    init(store: MemoryFileStore, content: MemoryFileStore.Content) {
        self.store = store
        self.content = content
    }

    private var others: [MemoryFile] { content.handles.filter { $0 !== self } }

    func size() throws(FileStoreError) -> Int64 {
        try store.admit("size")
        return Int64(content.bytes.count)
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(FileStoreError) -> Int {
        try store.admit("read")
        let start = min(Int(offset), content.bytes.count)
        let end = min(start + buffer.count, content.bytes.count)
        buffer.copyBytes(from: content.bytes[start..<end])
        return end - start
    }

    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileStoreError) {
        try store.admit("write")
        let end = Int(offset) + buffer.count
        if end > content.bytes.count {
            content.bytes += [UInt8](repeating: 0, count: end - content.bytes.count)
        }
        content.bytes.replaceSubrange(Int(offset)..<end, with: buffer)
    }

    func truncate(to size: Int64) throws(FileStoreError) {
        try store.admit("truncate")
        content.bytes = Array(content.bytes.prefix(Int(size)))
    }

    func sync(full: Bool) throws(FileStoreError) {
        try store.admit(full ? "full sync" : "sync")
    }

    func lock(_ wanted: FileLockLevel) throws(FileStoreError) -> Bool {
        try store.admit("lock")
        guard wanted > level else { return true }
        let highest = others.map(\.level).max() ?? .none
        switch wanted {
        case .none, .pending: return true
        case .shared: guard highest < .pending else { return false }
        case .reserved: guard highest < .reserved else { return false }
        case .exclusive:
            guard highest < .reserved else { return false }
            level = .pending
            guard highest < .shared else { return false }
        }
        level = wanted
        return true
    }

    func unlock(to wanted: FileLockLevel) {
        level = min(level, wanted)
    }

    func isReserved() throws(FileStoreError) -> Bool {
        try store.admit("isReserved")
        return content.handles.contains { $0.level >= .reserved }
    }

    var sharedMemory: (any FileSharedMemory)? { store.offersMemory ? self : nil }

    func region(
        _ index: Int,
        size: Int,
        extend: Bool
    ) throws(FileStoreError) -> UnsafeMutableRawPointer? {
        try store.admit("region")
        while extend, content.regions.count <= index {
            let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            region.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            content.regions.append(region)
        }
        return index < content.regions.count ? content.regions[index] : nil
    }

    func lock(slots: Range<Int>, exclusive isExclusive: Bool) throws(FileStoreError) -> Bool {
        try store.admit("lock slots")
        for other in others {
            if !other.exclusive.isDisjoint(with: slots) { return false }
            if isExclusive, !other.shared.isDisjoint(with: slots) { return false }
        }
        if isExclusive { exclusive.formUnion(slots) } else { shared.formUnion(slots) }
        return true
    }

    func unlock(slots: Range<Int>, exclusive isExclusive: Bool) {
        if isExclusive { exclusive.subtract(slots) } else { shared.subtract(slots) }
    }

    func detach(delete: Bool) {
        shared = []
        exclusive = []
    }

    func close() {
        detach(delete: false)
        level = .none
        content.handles.removeAll { $0 === self }
    }
}
