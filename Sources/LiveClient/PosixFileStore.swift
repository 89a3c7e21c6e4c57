import Foundation
import SQLiteStore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Real files below a folder, by POSIX calls.
///
/// With the root "/" the store's paths are the system's. SQLite needs no VFS here: leave
/// `ClientEnvironment.sqliteVFS` nil and it uses its own on the same files, which is why this store
/// offers no shared memory.
public final class PosixFileStore: FileStore {
    /// What stands before each path; empty for the whole system.
    let root: String

    /// Makes a store of the files below `root`.
    public init(root: String = "/") {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
    }

    /// Opens a file; creates it and the folders above it when `create` is true.
    public func open(_ path: String, create: Bool) throws(FileStoreError) -> any StoredFile {
        if create { try makeFolder(of: path) }
        let flags = O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0)
        let opened = systemOpen(root + path, flags)
        if let opened { return PosixStoredFile(descriptor: opened) }
        let failure = errno
        // A file that may only be read can still be uploaded.
        if !create, [EACCES, EROFS, EPERM].contains(failure),
            let readable = systemOpen(root + path, O_RDONLY | O_CLOEXEC)
        {
            return PosixStoredFile(descriptor: readable)
        }
        throw FileStoreError(errno: failure, path: path)
    }

    /// Removes a file's name; with `syncDirectory` the removal is durable at return.
    public func remove(_ path: String, syncDirectory: Bool) throws(FileStoreError) {
        guard unlink(root + path) == 0 else { throw FileStoreError(errno: errno, path: path) }
        if syncDirectory { try self.syncDirectory(of: path) }
    }

    /// Gives a file another name, replacing what stood there, atomically.
    public func rename(_ path: String, to target: String) throws(FileStoreError) {
        try makeFolder(of: target)
        guard Foundation.rename(root + path, root + target) == 0 else {
            throw FileStoreError(errno: errno, path: path)
        }
    }

    /// Makes the names in the folder that holds `path` durable.
    public func syncDirectory(of path: String) throws(FileStoreError) {
        let folder = (root + path as NSString).deletingLastPathComponent
        guard let descriptor = systemOpen(folder, O_RDONLY | O_CLOEXEC) else {
            throw FileStoreError(errno: errno, path: path)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileStoreError(errno: errno, path: path) }
    }

    /// Whether a file of that name is there.
    public func exists(_ path: String) throws(FileStoreError) -> Bool {
        try metadata(of: path) != nil
    }

    /// Size, inode and date of a file; nil when it is not there.
    public func metadata(of path: String) throws(FileStoreError) -> FileMetadata? {
        var found = stat()
        guard stat(root + path, &found) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw FileStoreError(errno: errno, path: path)
            }
            return nil
        }
        #if canImport(Darwin)
        let changed = found.st_mtimespec
        #else
        let changed = found.st_mtim
        #endif
        return FileMetadata(
            size: Int64(found.st_size),
            identity: UInt64(found.st_ino),
            modifiedNanoseconds: Int64(changed.tv_sec) * 1_000_000_000 + Int64(changed.tv_nsec)
        )
    }

    /// Paths of the files that begin with `prefix`, sorted; walks the folder that the prefix names.
    public func list(prefix: String) throws(FileStoreError) -> [String] {
        let end = prefix.lastIndex(of: "/") ?? prefix.startIndex
        let folder = String(prefix[..<end])
        guard let walk = FileManager.default.enumerator(atPath: root + folder + "/") else {
            return []
        }
        var paths: [String] = []
        while let name = walk.nextObject() as? String {
            let path = folder + "/" + name
            guard path.hasPrefix(prefix),
                walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular
            else { continue }
            paths.append(path)
        }
        return paths.sorted()
    }

    private func makeFolder(of path: String) throws(FileStoreError) {
        let folder = (root + path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
        } catch {
            throw .notPermitted
        }
    }

    private func systemOpen(_ path: String, _ flags: Int32) -> Int32? {
        while true {
            let descriptor = Foundation.open(path, flags, 0o600)
            if descriptor >= 0 { return descriptor }
            guard errno == EINTR else { return nil }
        }
    }
}

extension FileStoreError {
    /// The failure that an `errno` stands for.
    init(errno code: Int32, path: String) {
        switch code {
        case ENOENT, ENOTDIR: self = .notFound(path: path)
        case ENOSPC, EDQUOT: self = .noSpace
        case EPERM, EACCES: self = .notPermitted
        default: self = .inputOutput
        }
    }
}
