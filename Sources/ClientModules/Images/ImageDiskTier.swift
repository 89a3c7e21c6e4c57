import Foundation
import Quantities
import SQLiteStore

/// Encoded pictures in a folder that the system may empty at any time.
///
/// One file a picture, written beside and renamed: there is a whole file or none, and what a loss of
/// power tears is found by its checksum. The cap holds at each write, in bytes of files. Use is
/// remembered within a launch; a launch begins with the order in which files were written.
/// Nothing is synced: what is lost is fetched again.
actor ImageDiskTier {
    private let files: any FileStore
    private let folder: String
    private let limit: ByteCount
    private let report: @Sendable (ImageCacheEvent) -> Void
    private var index = LRUIndex<String>()
    private var isScanned = false

    init(
        files: any FileStore,
        folder: String,
        limit: ByteCount,
        report: @escaping @Sendable (ImageCacheEvent) -> Void
    ) {
        self.files = files
        self.folder = folder
        self.limit = limit
        self.report = report
    }

    /// Bytes of all files; what the limit holds for.
    var bytesInUse: Int64 {
        scan()
        return index.total
    }

    /// The picture of this address, if it is here and whole; a damaged one is removed.
    func read(_ address: String) -> StoredImage? {
        scan()
        let path = path(of: address)
        guard index.contains(path) else { return nil }
        do throws(FileStoreError) {
            guard let file = try contents(of: path) else {
                // The system emptied the folder.
                index.remove(path)
                return nil
            }
            guard let image = StoredImageFile.read(file), image.address == address else {
                report(.damagedFileRemoved)
                drop(path)
                return nil
            }
            index.touch(path)
            return image
        } catch {
            report(.storageFailed(description: "\(error)"))
            return nil
        }
    }

    /// Keeps a picture, if it can; the least recently used make room.
    ///
    /// One that would take more than half of the limit is not kept.
    func write(_ image: StoredImage) {
        scan()
        let path = path(of: image.address)
        let file = StoredImageFile.write(image)
        guard Int64(file.count) <= limit.bytes / 2 else { return }
        let old = index.remove(path) ?? 0
        for victim in index.trim(to: limit.bytes - max(Int64(file.count), old)) {
            removeFile(victim)
        }
        do throws(FileStoreError) {
            try put(file, at: path)
            index.insert(path, cost: Int64(file.count))
        } catch {
            report(.storageFailed(description: "\(error)"))
            removeFile(path + Self.unfinished)
            // What stood there before may be left.
            if let left = try? files.metadata(of: path) { index.insert(path, cost: left.size) }
        }
    }

    /// Forgets a picture.
    func remove(_ address: String) {
        scan()
        drop(path(of: address))
    }

    private static let unfinished = ".part"
    private static let suffix = ".image"

    private func path(of address: String) -> String {
        var digest = SHA1()
        var address = address
        address.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
        let name = digest.finish().map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }
        return folder + "/" + name.joined() + Self.suffix
    }

    private func put(_ file: Data, at path: String) throws(FileStoreError) {
        let beside = path + Self.unfinished
        let handle = try files.open(beside, create: true)
        defer { handle.close() }
        try handle.truncate(to: 0)
        var failure: FileStoreError?
        file.withUnsafeBytes { bytes in
            do throws(FileStoreError) {
                try handle.write(bytes, at: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try files.rename(beside, to: path)
    }

    private func contents(of path: String) throws(FileStoreError) -> Data? {
        let handle: any StoredFile
        do throws(FileStoreError) {
            handle = try files.open(path, create: false)
        } catch {
            if case .notFound = error { return nil }
            throw error
        }
        defer { handle.close() }
        let size = Int(try handle.size())
        var data = Data(count: size)
        var failure: FileStoreError?
        var count = 0
        data.withUnsafeMutableBytes { buffer in
            do throws(FileStoreError) {
                count = try handle.read(into: buffer, at: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return count == size ? data : data.prefix(count)
    }

    private func drop(_ path: String) {
        index.remove(path)
        removeFile(path)
    }

    private func removeFile(_ path: String) {
        // It may be gone already; nothing depends on it.
        try? files.remove(path, syncDirectory: false)
    }

    /// Finds what earlier launches left, once.
    private func scan() {
        guard !isScanned else { return }
        do throws(FileStoreError) {
            var found: [(modified: Int64, path: String, size: Int64)] = []
            for path in try files.list(prefix: folder + "/") {
                if path.hasSuffix(Self.unfinished) {
                    removeFile(path)
                } else if path.hasSuffix(Self.suffix), let file = try files.metadata(of: path) {
                    found.append((file.modifiedNanoseconds, path, file.size))
                }
            }
            found.sort { ($0.modified, $0.path) < ($1.modified, $1.path) }
            for file in found { index.insert(file.path, cost: file.size) }
            for victim in index.trim(to: limit.bytes) { removeFile(victim) }
            isScanned = true
        } catch {
            report(.storageFailed(description: "\(error)"))
        }
    }
}
