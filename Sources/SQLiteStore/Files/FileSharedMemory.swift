/// One handle's view of the memory that all handles of a file share: the wal-index and its locks.
///
/// SQLite asks for regions of 32 KiB and uses eight lock slots (sqlite.org/walformat).
public protocol FileSharedMemory: AnyObject, Sendable {
    /// Region `index` of `size` bytes, zero-filled when new; its address stays for as long as it is used.
    ///
    /// - Returns: nil when the region is not there and `extend` is false.
    func region(_ index: Int, size: Int, extend: Bool) throws(FileStoreError)
        -> UnsafeMutableRawPointer?
    /// Takes slots for this handle, shared or exclusive, all or none.
    ///
    /// - Returns: false when another handle is in the way.
    func lock(slots: Range<Int>, exclusive: Bool) throws(FileStoreError) -> Bool
    /// Gives slots back that this handle holds.
    func unlock(slots: Range<Int>, exclusive: Bool)
    /// Ends this handle's use; the last one out drops the memory. `delete` asks for its removal.
    func detach(delete: Bool)
}
