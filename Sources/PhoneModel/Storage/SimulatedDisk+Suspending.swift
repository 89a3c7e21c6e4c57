/// What a process holds on the disk while it is given no time.
extension SimulatedDisk {
    /// Whether this process holds a lock with which it keeps others from writing: a rollback journal's
    /// `reserved` or more, or a WAL's write lock.
    package func holdsWriteLock(_ client: DiskClient) -> Bool {
        names.values.contains { inode in
            inode.handles.contains { handle in
                let handle = handle.takeUnretainedValue()
                return handle.client === client && handle.holdsWriteLock
            }
        }
    }
}

extension DiskHandle {
    /// Whether it keeps others from writing.
    var holdsWriteLock: Bool { level >= .reserved || exclusiveSlots & 1 != 0 }
}
