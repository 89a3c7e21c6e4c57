/// An open file of a `FileStore`.
///
/// Offsets and counts are in bytes. All calls block.
/// A handle that is dropped without `close()` must do no harm: a killed process never closes.
public protocol StoredFile: AnyObject, Sendable {
    /// Bytes in the file now.
    func size() throws(FileStoreError) -> Int64
    /// Reads up to `buffer.count` bytes; returns how many there were.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileStoreError)
        -> Int
    /// Writes all of `buffer`, extending the file when needed.
    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileStoreError)
    /// Cuts or extends the file to `size`.
    func truncate(to size: Int64) throws(FileStoreError)
    /// Makes what was written durable; `full` also drains the device's cache (F_FULLFSYNC).
    func sync(full: Bool) throws(FileStoreError)
    /// Takes or raises this handle's lock on the file, as SQLite's rollback modes need it.
    ///
    /// Asked for: `shared`, `reserved` or `exclusive`. A handle that is refused `exclusive` while
    /// readers are left keeps `pending`, which lets no new reader in (sqlite.org/lockingv3).
    ///
    /// - Returns: false when another handle is in the way.
    func lock(_ level: FileLockLevel) throws(FileStoreError) -> Bool
    /// Gives the lock back down to `level`: `shared` or `none`.
    func unlock(to level: FileLockLevel)
    /// Whether any handle, this one too, holds `reserved` or more.
    func isReserved() throws(FileStoreError) -> Bool
    /// The shared memory that belongs to this file (SQLite's wal-index); nil if not supported.
    ///
    /// Asking takes part in nothing: use begins with the first region and ends with `detach` or
    /// `close`, and may begin anew.
    var sharedMemory: (any FileSharedMemory)? { get }
    /// Ends the use of this handle and drops its locks.
    func close()
}
