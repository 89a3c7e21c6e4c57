/// Memory that every handle of one file shares: the wal-index and its eight lock slots.
public protocol FileSharedMemory: AnyObject, Sendable {
    /// Region `index` of `size` bytes, zero-filled when new; nil when it is not there and `extend` is false.
    func region(_ index: Int, size: Int, extend: Bool) -> UnsafeMutableRawPointer?
    /// Takes slots for this handle, shared or exclusive; false when another handle is in the way.
    func lock(slots: Range<Int>, exclusive: Bool) -> Bool
    /// Gives slots back.
    func unlock(slots: Range<Int>, exclusive: Bool)
    /// Ends this handle's use; the last one out drops the memory. `delete` asks for its removal.
    func detach(delete: Bool)
}
