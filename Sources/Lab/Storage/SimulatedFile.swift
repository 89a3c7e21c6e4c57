import PhoneModel
import SQLiteStore

/// An open file on the phone's disk, behind the port.
final class SimulatedFile: StoredFile, @unchecked Sendable {
    private let handle: DiskHandle

    init(_ handle: DiskHandle) {
        self.handle = handle
    }

    func size() throws(FileStoreError) -> Int64 {
        do throws(DiskError) { return try handle.size() } catch { throw FileStoreError(error) }
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(FileStoreError) -> Int {
        do throws(DiskError) {
            return try handle.read(into: buffer, at: offset)
        } catch {
            throw FileStoreError(error)
        }
    }

    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileStoreError) {
        do throws(DiskError) {
            try handle.write(buffer, at: offset)
        } catch {
            throw FileStoreError(error)
        }
    }

    func truncate(to size: Int64) throws(FileStoreError) {
        do throws(DiskError) { try handle.truncate(to: size) } catch { throw FileStoreError(error) }
    }

    func sync(full: Bool) throws(FileStoreError) {
        do throws(DiskError) { try handle.sync(full: full) } catch { throw FileStoreError(error) }
    }

    func lock(_ level: FileLockLevel) throws(FileStoreError) -> Bool {
        do throws(DiskError) {
            return try handle.lock(DiskLockLevel(level))
        } catch {
            throw FileStoreError(error)
        }
    }

    func unlock(to level: FileLockLevel) {
        handle.unlock(to: DiskLockLevel(level))
    }

    func isReserved() throws(FileStoreError) -> Bool {
        do throws(DiskError) { return try handle.isReserved() } catch {
            throw FileStoreError(error)
        }
    }

    var sharedMemory: (any FileSharedMemory)? { SimulatedSharedMemory(handle) }

    func close() {
        handle.close()
    }
}

/// A file's wal-index on the phone, behind the port.
final class SimulatedSharedMemory: FileSharedMemory, @unchecked Sendable {
    private let handle: DiskHandle

    init(_ handle: DiskHandle) {
        self.handle = handle
    }

    func region(
        _ index: Int,
        size: Int,
        extend: Bool
    ) throws(FileStoreError) -> UnsafeMutableRawPointer? {
        do throws(DiskError) {
            return try handle.region(index, size: size, extend: extend)
        } catch {
            throw FileStoreError(error)
        }
    }

    func lock(slots: Range<Int>, exclusive: Bool) throws(FileStoreError) -> Bool {
        do throws(DiskError) {
            return try handle.lock(slots: slots, exclusive: exclusive)
        } catch {
            throw FileStoreError(error)
        }
    }

    func unlock(slots: Range<Int>, exclusive: Bool) {
        handle.unlock(slots: slots, exclusive: exclusive)
    }

    func detach(delete: Bool) {
        handle.detachRegions()
    }
}

extension DiskLockLevel {
    /// The port's level in the disk's words.
    init(_ level: FileLockLevel) {
        self =
            switch level {
            case .none: .none
            case .shared: .shared
            case .reserved: .reserved
            case .pending: .pending
            case .exclusive: .exclusive
            }
    }
}
