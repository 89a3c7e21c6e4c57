/// A sync as the disk remembers it until it is safe.
struct SyncMark: Equatable {
    /// Its place in the order of all operations of the disk.
    var sequence: UInt64
    /// The syncing process's local time, in nanoseconds.
    var stamp: Int64
    /// The syncing process.
    var client: Int
    /// Whether the device's cache was drained too.
    var isFull: Bool
}

/// A change of a file that is in the page cache and maybe not on the device.
struct PendingOperation {
    enum Change {
        case write(offset: Int64, bytes: [UInt8])
        case truncate(size: Int64)
        /// Everything before it was synced.
        case sync(isFull: Bool)
    }

    var sequence: UInt64
    var stamp: Int64
    var client: Int
    var change: Change

    /// Whether it changes the length.
    var isTruncation: Bool {
        if case .truncate = change { true } else { false }
    }

    /// The pages that a write touches; nil for what writes nothing.
    var pages: ClosedRange<Int>? {
        guard case .write(let offset, let bytes) = change, !bytes.isEmpty else { return nil }
        let last = Int(offset) + bytes.count - 1
        return Int(offset) / PageStore.pageSize...last / PageStore.pageSize
    }

    /// Carries the change out on `pages`.
    func apply(to pages: inout PageStore) {
        switch change {
        case .write(let offset, let bytes):
            bytes.withUnsafeBytes { pages.write($0, at: offset) }
        case .truncate(let size):
            pages.truncate(to: size)
        case .sync:
            break
        }
    }
}

/// A change of a folder that is in memory and maybe not on the device.
struct PendingName {
    enum Change {
        case link(String)
        case unlink(String)
        case rename(from: String, to: String)
    }

    var sequence: UInt64
    var stamp: Int64
    var client: Int
    var change: Change
    var inode: Inode
    /// The sync that covers it, when one does.
    var mark: SyncMark?

    /// The names it touches.
    var names: [String] {
        switch change {
        case .link(let path), .unlink(let path): [path]
        case .rename(let source, let target): [source, target]
        }
    }

    /// Carries the change out; an unlink of another file's name does nothing.
    func apply(to names: inout [String: Inode]) {
        switch change {
        case .link(let path):
            names[path] = inode
        case .unlink(let path):
            if names[path] === inode { names[path] = nil }
        case .rename(let source, let target):
            if names[source] === inode { names[source] = nil }
            names[target] = inode
        }
    }
}
