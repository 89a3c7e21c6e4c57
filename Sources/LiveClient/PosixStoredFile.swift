import Foundation
import SQLiteStore
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open file, by its descriptor.
final class PosixStoredFile: StoredFile {
    private struct State {
        var descriptor: Int32
        var level = FileLockLevel.none
    }

    private let state: Mutex<State>

    init(descriptor: Int32) {
        state = Mutex(State(descriptor: descriptor))
    }

    deinit {
        close()
    }

    /// No shared memory: SQLite's own VFS brings its own.
    var sharedMemory: (any FileSharedMemory)? { nil }

    func size() throws(FileStoreError) -> Int64 {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { throw failure }
        return Int64(found.st_size)
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(FileStoreError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor,
                buffer.baseAddress.map { $0 + done },
                buffer.count - done,
                off_t(offset) + off_t(done)
            )
            if count == 0 { break }
            if count < 0 {
                guard errno == EINTR else { throw failure }
                continue
            }
            done += count
        }
        return done
    }

    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileStoreError) {
        var done = 0
        while done < buffer.count {
            let count = pwrite(
                descriptor,
                buffer.baseAddress.map { $0 + done },
                buffer.count - done,
                off_t(offset) + off_t(done)
            )
            if count < 0 {
                guard errno == EINTR else { throw failure }
                continue
            }
            done += count
        }
    }

    func truncate(to size: Int64) throws(FileStoreError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure }
    }

    func sync(full: Bool) throws(FileStoreError) {
        #if canImport(Darwin)
        // Where the device offers no full sync, the plain one is all there is.
        if full, fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw failure }
    }

    /// Locks by byte ranges as SQLite lays them out (sqlite.org/lockingv3, os.h): one byte for
    /// pending, one for reserved, 510 for shared; owned by this open file, not by the process.
    func lock(_ level: FileLockLevel) throws(FileStoreError) -> Bool {
        let (held, descriptor) = state.withLock { ($0.level, $0.descriptor) }
        guard level > held else { return true }
        switch level {
        case .none:
            return true
        case .shared:
            // The pending byte in passing: a writer that waits lets no new reader in.
            guard Self.set(descriptor, F_RDLCK, Self.pending, 1) else { return false }
            let isShared = Self.set(descriptor, F_RDLCK, Self.shared, Self.sharedCount)
            _ = Self.set(descriptor, F_UNLCK, Self.pending, 1)
            guard isShared else { return false }
        case .reserved:
            guard Self.set(descriptor, F_WRLCK, Self.reserved, 1) else { return false }
        case .pending, .exclusive:
            if held < .pending {
                guard Self.set(descriptor, F_WRLCK, Self.pending, 1) else { return false }
                state.withLock { $0.level = .pending }
            }
            guard level == .exclusive else { return true }
            guard Self.set(descriptor, F_WRLCK, Self.shared, Self.sharedCount) else {
                return false
            }
        }
        state.withLock { $0.level = level }
        return true
    }

    func unlock(to level: FileLockLevel) {
        let descriptor = self.descriptor
        if level == .shared {
            _ = Self.set(descriptor, F_RDLCK, Self.shared, Self.sharedCount)
            _ = Self.set(descriptor, F_UNLCK, Self.pending, 2)
        } else {
            _ = Self.set(descriptor, F_UNLCK, Self.pending, Self.sharedCount + 2)
        }
        state.withLock { $0.level = min($0.level, level) }
    }

    func isReserved() throws(FileStoreError) -> Bool {
        let (level, descriptor) = state.withLock { ($0.level, $0.descriptor) }
        guard level < .reserved else { return true }
        var range = Self.range(F_WRLCK, Self.reserved, 1)
        guard fcntl(descriptor, Self.getLock, &range) == 0 else { throw failure }
        return range.l_type != CShort(F_UNLCK)
    }

    func close() {
        let descriptor = state.withLock { state in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        if descriptor >= 0 { Foundation.close(descriptor) }
    }

    private var descriptor: Int32 { state.withLock { $0.descriptor } }

    private var failure: FileStoreError { FileStoreError(errno: errno, path: "") }

    private static let pending: off_t = 0x4000_0000
    private static let reserved: off_t = pending + 1
    private static let shared: off_t = pending + 2
    private static let sharedCount: off_t = 510

    // Locks of an open file description (fcntl(2)); the importer leaves the names out.
    #if canImport(Darwin)
    private static let setLock: Int32 = 90
    private static let getLock: Int32 = 92
    #else
    private static let setLock: Int32 = 37
    private static let getLock: Int32 = 36
    #endif

    private static func range(_ type: Int32, _ start: off_t, _ count: off_t) -> flock {
        var range = flock()
        range.l_type = CShort(type)
        range.l_whence = CShort(SEEK_SET)
        range.l_start = start
        range.l_len = count
        return range
    }

    private static func set(
        _ descriptor: Int32,
        _ type: Int32,
        _ start: off_t,
        _ count: off_t
    ) -> Bool {
        var range = Self.range(type, start, count)
        return fcntl(descriptor, setLock, &range) == 0
    }
}
