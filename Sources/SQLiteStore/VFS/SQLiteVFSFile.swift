import CSQLite
import Synchronization

/// An open file as SQLite sees it: the C side's slot leads here, and from here to the store.
final class SQLiteVFSFile {
    /// What SQLite allocates for a file; the first member is what it knows of it.
    struct Slot {
        var base: sqlite3_file
        var file: UnsafeMutableRawPointer?
    }

    private let file: any StoredFile
    private let path: String
    private let vfs: SQLiteVFS
    private let sectorSize: Int32
    private let characteristics: Int32
    private let sharedMemory: (any FileSharedMemory)?
    private let supportsWAL: Bool
    /// A new journal's name must be durable before the database is touched.
    private var owesDirectorySync: Bool

    init(file: any StoredFile, path: String, flags: Int32, vfs: SQLiteVFS) {
        self.file = file
        self.path = path
        self.vfs = vfs
        sectorSize = Int32(vfs.configuration.sectorSize)
        characteristics = vfs.configuration.characteristics.rawValue
        let journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL
        sharedMemory = flags & SQLITE_OPEN_MAIN_DB != 0 ? file.sharedMemory : nil
        supportsWAL = flags & SQLITE_OPEN_MAIN_DB == 0 || sharedMemory != nil
        owesDirectorySync = flags & SQLITE_OPEN_CREATE != 0 && flags & journals != 0
    }

    func place(into place: UnsafeMutablePointer<sqlite3_file>) {
        let slot = UnsafeMutableRawPointer(place).assumingMemoryBound(to: Slot.self)
        let kept = Unmanaged.passRetained(self)
        slot.pointee.file = kept.toOpaque()
        vfs.opened(kept)
        slot.pointee.base.pMethods = supportsWAL ? Self.methods : Self.methodsWithoutMemory
    }

    private static func of(_ place: UnsafeMutablePointer<sqlite3_file>?) -> SQLiteVFSFile {
        let slot = UnsafeMutableRawPointer(place)?.assumingMemoryBound(to: Slot.self)
        guard let file = slot?.pointee.file else {
            preconditionFailure("SQLite called a file that is not open")
        }
        return Unmanaged<SQLiteVFSFile>.fromOpaque(file).takeUnretainedValue()
    }

    /// One table for all files, never changed after it is made.
    nonisolated(unsafe) private static let methods = table(version: 2)

    /// For stores without shared memory: SQLite then refuses WAL mode instead of failing in it.
    nonisolated(unsafe) private static let methodsWithoutMemory = table(version: 1)

    private static func table(version: Int32) -> UnsafePointer<sqlite3_io_methods> {
        var methods = sqlite3_io_methods()
        methods.iVersion = version
        methods.xClose = { SQLiteVFSFile.close($0) }
        methods.xRead = { SQLiteVFSFile.of($0).read($1, $2, $3) }
        methods.xWrite = { SQLiteVFSFile.of($0).write($1, $2, $3) }
        methods.xTruncate = { SQLiteVFSFile.of($0).truncate($1) }
        methods.xSync = { SQLiteVFSFile.of($0).sync($1) }
        methods.xFileSize = { SQLiteVFSFile.of($0).size($1) }
        methods.xLock = { SQLiteVFSFile.of($0).lock($1) }
        methods.xUnlock = { SQLiteVFSFile.of($0).unlock($1) }
        methods.xCheckReservedLock = { SQLiteVFSFile.of($0).checkReserved($1) }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { SQLiteVFSFile.of($0).sectorSize }
        methods.xDeviceCharacteristics = { SQLiteVFSFile.of($0).characteristics }
        methods.xShmMap = { SQLiteVFSFile.of($0).mapRegion($1, $2, $3, $4) }
        methods.xShmLock = { SQLiteVFSFile.of($0).lockSharedMemory($1, $2, $3) }
        methods.xShmBarrier = { _ in atomicMemoryFence(ordering: .sequentiallyConsistent) }
        methods.xShmUnmap = { SQLiteVFSFile.of($0).unmap(delete: $1 != 0) }
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: methods)
        return UnsafePointer(table)
    }

    private static func close(_ place: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        let slot = UnsafeMutableRawPointer(place)?.assumingMemoryBound(to: Slot.self)
        guard let kept = slot?.pointee.file else { return SQLITE_OK }
        slot?.pointee.file = nil
        slot?.pointee.base.pMethods = nil
        let closed = Unmanaged<SQLiteVFSFile>.fromOpaque(kept)
        closed.takeUnretainedValue().vfs.closed(closed)
        closed.takeRetainedValue().file.close()
        return SQLITE_OK
    }

    private func read(_ bytes: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
        do throws(FileStoreError) {
            let got = try file.read(into: buffer, at: offset)
            guard got < buffer.count else { return SQLITE_OK }
            // SQLite relies on zeros behind the end of a file.
            UnsafeMutableRawBufferPointer(rebasing: buffer[got...])
                .initializeMemory(as: UInt8.self, repeating: 0)
            return SQLiteFailure.shortRead
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.read)
        }
    }

    private func write(_ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
        do throws(FileStoreError) {
            try file.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
            return SQLITE_OK
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.write)
        }
    }

    private func truncate(_ size: Int64) -> Int32 {
        do throws(FileStoreError) {
            try file.truncate(to: size)
            return SQLITE_OK
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.truncate)
        }
    }

    private func sync(_ flags: Int32) -> Int32 {
        do throws(FileStoreError) {
            try file.sync(full: flags & 0xF == SQLITE_SYNC_FULL)
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.sync)
        }
        guard owesDirectorySync, let store = vfs.store else { return SQLITE_OK }
        do throws(FileStoreError) {
            try store.syncDirectory(of: path)
            owesDirectorySync = false
            return SQLITE_OK
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.directorySync)
        }
    }

    private func size(_ out: UnsafeMutablePointer<Int64>?) -> Int32 {
        do throws(FileStoreError) {
            out?.pointee = try file.size()
            return SQLITE_OK
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.size)
        }
    }
}

// Locks and the wal-index.
extension SQLiteVFSFile {
    private func lock(_ level: Int32) -> Int32 {
        guard let wanted = FileLockLevel(rawValue: level) else { return SQLITE_MISUSE }
        do throws(FileStoreError) {
            return try file.lock(wanted) ? SQLITE_OK : SQLITE_BUSY
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.lock)
        }
    }

    private func unlock(_ level: Int32) -> Int32 {
        guard let wanted = FileLockLevel(rawValue: level) else { return SQLITE_MISUSE }
        file.unlock(to: wanted)
        return SQLITE_OK
    }

    private func checkReserved(_ out: UnsafeMutablePointer<Int32>?) -> Int32 {
        do throws(FileStoreError) {
            out?.pointee = try file.isReserved() ? 1 : 0
            return SQLITE_OK
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.checkReserved)
        }
    }

    private func mapRegion(
        _ index: Int32,
        _ size: Int32,
        _ extend: Int32,
        _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32 {
        out?.pointee = nil
        guard let sharedMemory else { return SQLiteFailure.sharedMemoryMap }
        do throws(FileStoreError) {
            out?.pointee = try sharedMemory.region(Int(index), size: Int(size), extend: extend != 0)
            return SQLITE_OK
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.sharedMemoryMap)
        }
    }

    private func lockSharedMemory(_ first: Int32, _ count: Int32, _ flags: Int32) -> Int32 {
        guard let sharedMemory else { return SQLiteFailure.sharedMemoryLock }
        let slots = Int(first)..<Int(first + count)
        let isExclusive = flags & SQLITE_SHM_EXCLUSIVE != 0
        guard flags & SQLITE_SHM_UNLOCK == 0 else {
            sharedMemory.unlock(slots: slots, exclusive: isExclusive)
            return SQLITE_OK
        }
        do throws(FileStoreError) {
            return try sharedMemory.lock(slots: slots, exclusive: isExclusive)
                ? SQLITE_OK : SQLITE_BUSY
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.sharedMemoryLock)
        }
    }

    private func unmap(delete: Bool) -> Int32 {
        sharedMemory?.detach(delete: delete)
        return SQLITE_OK
    }
}
