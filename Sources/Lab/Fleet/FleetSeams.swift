import ClientModules
import Foundation
import SQLiteStore

/// What a client of a crowd has instead of a phone: a route that is always there, and no disk.
struct FleetSeams: PathMonitoring, DeviceSignals, MemoryMeter, Sendable {
    var current: NetworkPath { NetworkPath(isSatisfied: true, interface: "wifi") }

    func changes() -> AsyncStream<NetworkPath> {
        AsyncStream { $0.yield(current) }
    }

    func phases() -> AsyncStream<AppPhase> {
        AsyncStream { $0.yield(.foreground) }
    }

    func memoryPressure() -> AsyncStream<MemoryPressureLevel> {
        AsyncStream { _ in }
    }

    func declare(_ bytes: Int64, holder: String) {}
}

/// A disk that is not there: a client of a crowd keeps nothing.
final class NoFiles: FileStore {
    func open(_ path: String, create: Bool) throws(FileStoreError) -> any StoredFile {
        throw .notFound(path: path)
    }

    func remove(_ path: String, syncDirectory: Bool) throws(FileStoreError) {
        throw .notFound(path: path)
    }

    func rename(_ path: String, to target: String) throws(FileStoreError) {
        throw .notFound(path: path)
    }

    func syncDirectory(of path: String) throws(FileStoreError) {
        throw .notFound(path: path)
    }

    func exists(_ path: String) throws(FileStoreError) -> Bool { false }

    func metadata(of path: String) throws(FileStoreError) -> FileMetadata? { nil }

    func list(prefix: String) throws(FileStoreError) -> [String] { [] }
}
