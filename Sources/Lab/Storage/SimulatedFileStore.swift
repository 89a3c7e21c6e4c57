import PhoneModel
import SQLiteStore

/// The phone's disk as one process sees it: what modules keep files in, and what SQLite runs on.
///
/// Make one for each launch. Once the client is dead, every call fails with `fenced` and does
/// nothing. Not for use from two threads at once: a world runs on one.
package final class SimulatedFileStore: FileStore, @unchecked Sendable {
    private let disk: SimulatedDisk
    private let client: DiskClient
    private let wallNanoseconds: (Int64) -> Int64

    /// Gives a process its view of the disk.
    ///
    /// `wallNanoseconds` turns nanoseconds since the world began into nanoseconds since 1970.
    package init(
        disk: SimulatedDisk,
        client: DiskClient,
        wallNanoseconds: @escaping (Int64) -> Int64 = { $0 }
    ) {
        self.disk = disk
        self.client = client
        self.wallNanoseconds = wallNanoseconds
    }

    /// Opens a file on the phone.
    package func open(_ path: String, create: Bool) throws(FileStoreError) -> any StoredFile {
        do throws(DiskError) {
            return SimulatedFile(try disk.open(path, create: create, by: client))
        } catch {
            throw FileStoreError(error)
        }
    }

    /// Removes a name on the phone.
    package func remove(_ path: String, syncDirectory: Bool) throws(FileStoreError) {
        do throws(DiskError) {
            try disk.remove(path, syncDirectory: syncDirectory, by: client)
        } catch {
            throw FileStoreError(error)
        }
    }

    /// Gives a file on the phone another name.
    package func rename(_ path: String, to target: String) throws(FileStoreError) {
        do throws(DiskError) {
            try disk.rename(path, to: target, by: client)
        } catch {
            throw FileStoreError(error)
        }
    }

    /// Makes the names of a folder safe from a power loss.
    package func syncDirectory(of path: String) throws(FileStoreError) {
        do throws(DiskError) {
            try disk.syncDirectory(of: path, by: client)
        } catch {
            throw FileStoreError(error)
        }
    }

    /// Whether the phone has a file of that name.
    package func exists(_ path: String) throws(FileStoreError) -> Bool {
        try metadata(of: path) != nil
    }

    /// Size, inode and last change of a file on the phone.
    package func metadata(of path: String) throws(FileStoreError) -> FileMetadata? {
        do throws(DiskError) {
            guard let found = try disk.look(at: path, by: client) else { return nil }
            return FileMetadata(
                size: found.size,
                identity: found.inode,
                modifiedNanoseconds: wallNanoseconds(found.modifiedNanoseconds)
            )
        } catch {
            throw FileStoreError(error)
        }
    }

    /// Paths on the phone that begin with `prefix`, sorted.
    package func list(prefix: String) throws(FileStoreError) -> [String] {
        do throws(DiskError) {
            return try disk.list(prefix: prefix, by: client)
        } catch {
            throw FileStoreError(error)
        }
    }
}

extension FileStoreError {
    /// The simulated disk's failure in the words of the port.
    init(_ error: DiskError) {
        switch error {
        case .notFound(let path): self = .notFound(path: path)
        case .noSpace: self = .noSpace
        case .inputOutput: self = .inputOutput
        case .notPermitted: self = .notPermitted
        case .fenced: self = .fenced
        }
    }
}
