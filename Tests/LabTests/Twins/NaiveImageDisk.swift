import ClientModules
import Foundation
import Lab
import Profiles
import Quantities
import SQLiteStore
import Synchronization

/// Files of pictures, one each, in the folder of caches; right if it has no defect.
///
/// Nothing is synced: what a loss of power tears is found as it is decoded.
final class NaiveImageDisk: Sendable {
    private let files: any FileStore
    private let clock: any ClientClock
    private let folder: String
    private let limit: Int64
    private let defects: ImageDefects
    /// Sizes by name, where an index is believed.
    private let index: Mutex<[String: Int64]>

    init(_ launch: LaunchContext, defects: ImageDefects) {
        files = launch.environment.files
        clock = launch.environment.clock
        folder = launch.environment.directory + "/images/"
        limit = launch.configuration.images.configuration.diskLimit.bytes
        self.defects = defects
        index = Mutex([:])
        guard defects.contains(.indexWrittenOnLeaving),
            let stored = contents(of: folder + "index")
        else { return }
        let known = try? JSONDecoder().decode([String: Int64].self, from: stored)
        index.withLock { $0 = known ?? [:] }
    }

    /// The file of `address`, whatever is in it.
    func read(_ address: URL) -> Data? {
        let path = path(of: address)
        if defects.contains(.indexWrittenOnLeaving), !index.withLock({ $0[path] != nil }) {
            return nil
        }
        return contents(of: path)
    }

    /// Keeps a file; throws what the storage throws, or that the task was cancelled on the way.
    func write(_ data: Data, of address: URL) async throws {
        let path = path(of: address)
        makeRoom(for: Int64(data.count), besides: path)
        if defects.contains(.writtenAsItComes) {
            try await writeInPieces(data, at: path)
        } else {
            try put(data, at: path + ".part")
            try files.rename(path + ".part", to: path)
        }
        index.withLock { $0[path] = Int64(data.count) }
    }

    func remove(_ address: URL) {
        let path = path(of: address)
        try? files.remove(path, syncDirectory: false)
        index.withLock { $0[path] = nil }
    }

    /// Writes the index, where there is one.
    func leave() {
        guard defects.contains(.indexWrittenOnLeaving),
            let stored = try? JSONEncoder().encode(index.withLock { $0 })
        else { return }
        try? put(stored, at: folder + "index")
    }

    private func path(of address: URL) -> String {
        let query = address.query().map { "-" + $0 } ?? ""
        return folder + address.lastPathComponent + query + ".image"
    }

    /// What is there, by the folder or by the index that is believed, the oldest first.
    private func known() -> [(path: String, size: Int64)] {
        if defects.contains(.indexWrittenOnLeaving) {
            return index.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
        }
        let paths = (try? files.list(prefix: folder)) ?? []
        return paths.compactMap { path in
            (try? files.metadata(of: path)).map { (path, $0.size, $0.modifiedNanoseconds) }
        }
        .sorted { ($0.2, $0.0) < ($1.2, $1.0) }
        .map { ($0.0, $0.1) }
    }

    private func makeRoom(for size: Int64, besides path: String) {
        var all = known().filter { $0.path != path }
        var total = all.reduce(0) { $0 + $1.size } + size
        while total > limit, !all.isEmpty {
            let oldest = all.removeFirst()
            total -= oldest.size
            try? files.remove(oldest.path, syncDirectory: false)
            index.withLock { $0[oldest.path] = nil }
        }
    }

    /// Piece by piece, one each tenth of a second, as a slow line would bring them: an assumption.
    private func writeInPieces(_ data: Data, at path: String) async throws {
        let file = try files.open(path, create: true)
        defer { file.close() }
        try file.truncate(to: 0)
        let size = 4 << 10
        for start in stride(from: 0, to: data.count, by: size) {
            let piece = Data(
                data[data.startIndex + start..<data.startIndex + min(data.count, start + size)]
            )
            try piece.withUnsafeBytes { try file.write($0, at: Int64(start)) }
            try await clock.sleep(for: .milliseconds(100))
        }
    }

    private func put(_ data: Data, at path: String) throws {
        let file = try files.open(path, create: true)
        defer { file.close() }
        try file.truncate(to: 0)
        try data.withUnsafeBytes { try file.write($0, at: 0) }
    }

    private func contents(of path: String) -> Data? {
        guard let file = try? files.open(path, create: false) else { return nil }
        defer { file.close() }
        guard let size = try? file.size() else { return nil }
        var data = Data(count: Int(size))
        let count = data.withUnsafeMutableBytes { try? file.read(into: $0, at: 0) }
        return count.map { data.prefix($0) }
    }
}
