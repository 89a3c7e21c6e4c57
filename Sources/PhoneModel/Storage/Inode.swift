/// A file apart from its names: what is cached, what is safe, and what lies between.
///
/// Identity is the object: a name that is made again leads to another inode and inherits nothing.
final class Inode {
    let number: UInt64
    /// The bytes as processes see them.
    var cached = PageStore()
    /// The bytes as they are on the device.
    var durable = PageStore()
    /// Changes between the two, in order; `durable` with all of them is `cached`.
    var pending: [PendingOperation] = []
    /// Stamp of the earliest sync among `pending`; nothing can settle before it.
    var earliestSync: Int64 = .max
    /// Local time of the last change, and who made it.
    var lastStamp: Int64 = .min
    var lastClient: DiskClient?
    /// Names it has, as processes see them.
    var linkCount = 0
    /// Bytes written since the last sync.
    var unsyncedBytes: Int64 = 0
    /// Handles of living processes; a handle takes itself out when it closes or is let go.
    var handles: [Unmanaged<DiskHandle>] = []
    /// Locks that were given back at a local time that is still to come.
    var releases = LockReleases()
    var sharedMemory: SharedRegions?

    init(number: UInt64) {
        self.number = number
    }

    /// Whether its blocks are still taken.
    var isAlive: Bool { linkCount > 0 || !handles.isEmpty }

    /// Makes the cached bytes again from what is safe and what is pending.
    func rebuildCache() {
        cached = durable
        earliestSync = .max
        for operation in pending {
            operation.apply(to: &cached)
            if case .sync = operation.change {
                earliestSync = min(earliestSync, operation.stamp)
            }
        }
    }

    /// Gives back the memory of the file's bytes; nobody reads it any more.
    func forgetBytes() {
        cached = PageStore()
        durable = PageStore()
        pending = []
    }

    /// Carries `safe` out on the device's bytes; `open` are the changes that come after.
    ///
    /// A log that grows has always a commit on its way. So pages that no open change touches are shared with
    /// the cache here too: they hold the same, and each would be kept twice for as long as the file lives.
    private func apply(
        _ safe: ArraySlice<PendingOperation>,
        before open: ArraySlice<PendingOperation>
    ) {
        guard !safe.contains(where: \.isTruncation), !open.contains(where: \.isTruncation) else {
            for operation in safe { operation.apply(to: &durable) }
            return
        }
        let touched = open.compactMap(\.pages)
        for operation in safe {
            guard case .write(let offset, let bytes) = operation.change else { continue }
            bytes.withUnsafeBytes { buffer in
                durable.write(buffer, at: offset, sharing: cached) { index in
                    touched.contains { $0.contains(index) }
                }
            }
        }
    }

    /// Moves the first `count` pending changes to the device.
    func settle(first count: Int) {
        guard count > 0 else { return }
        if count == pending.count {
            // Both hold the same bytes now: share the pages rather than keep each twice.
            pending.removeAll()
            earliestSync = .max
            durable = cached
            return
        }
        apply(pending[..<count], before: pending[count...])
        pending.removeFirst(count)
        earliestSync = .max
        for operation in pending {
            if case .sync = operation.change {
                earliestSync = min(earliestSync, operation.stamp)
            }
        }
    }
}
