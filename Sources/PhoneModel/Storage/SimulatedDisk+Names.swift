import Quantities

/// Folders: names of files, apart from their bytes.
extension SimulatedDisk {
    /// Opens a file; creates it first when `create` is true and it is not there.
    package func open(
        _ path: String,
        create: Bool,
        by client: DiskClient
    ) throws(DiskError) -> DiskHandle {
        let isNew = names[path] == nil
        try admit(client, isNew && create ? .create : .open, path)
        awaitNames(for: client)
        if !clients.contains(where: { $0 === client }) { clients.append(client) }
        if let inode = names[path] {
            return DiskHandle(disk: self, client: client, inode: inode, path: path)
        }
        guard create else { throw .notFound(path: path) }
        pay(profile.nameLatency, by: client)
        let stamp = client.stamp().nanoseconds
        let inode = makeInode()
        inode.linkCount = 1
        inode.lastStamp = stamp
        inode.lastClient = client
        change(.link(path), of: inode, by: client, at: stamp)
        note(.create, path, inode.number, offset: 0, length: 0, by: client, at: stamp)
        return DiskHandle(disk: self, client: client, inode: inode, path: path)
    }

    /// Removes a name; the bytes live on for those who hold the file open.
    package func remove(
        _ path: String,
        syncDirectory: Bool,
        by client: DiskClient
    ) throws(DiskError) {
        try admit(client, .remove, path)
        awaitNames(for: client)
        guard let inode = names[path] else { throw .notFound(path: path) }
        awaitOthers(inode, for: client)
        pay(profile.nameLatency, by: client)
        let stamp = client.stamp().nanoseconds
        change(.unlink(path), of: inode, by: client, at: stamp)
        unlinked(inode)
        note(.remove, path, inode.number, offset: 0, length: 0, by: client, at: stamp)
        if syncDirectory { try self.syncDirectory(of: path, by: client) }
    }

    /// Gives a file another name, replacing what stood there, atomically.
    package func rename(
        _ path: String,
        to target: String,
        by client: DiskClient
    ) throws(DiskError) {
        try admit(client, .rename, path)
        awaitNames(for: client)
        guard let inode = names[path] else { throw .notFound(path: path) }
        guard path != target else { return }
        pay(profile.nameLatency, by: client)
        let stamp = client.stamp().nanoseconds
        let replaced = names[target]
        change(.rename(from: path, to: target), of: inode, by: client, at: stamp)
        if let replaced { unlinked(replaced) }
        note(.rename, target, inode.number, offset: 0, length: 0, by: client, at: stamp)
    }

    /// Makes the names in the folder of `path` safe.
    package func syncDirectory(of path: String, by client: DiskClient) throws(DiskError) {
        try admit(client, .syncDirectory, path)
        awaitNames(for: client)
        pay(syncSpan(full: false, dirty: 0), by: client)
        let stamp = client.stamp().nanoseconds
        let mark = SyncMark(
            sequence: nextSequence(),
            stamp: stamp,
            client: client.id,
            isFull: false
        )
        let folder = Self.folder(of: path)
        for index in firstUnmarkedName..<pendingNames.count
        where pendingNames[index].mark == nil
            && pendingNames[index].names.contains(where: { Self.folder(of: $0) == folder })
        {
            cover(index, with: mark)
        }
        syncCount += 1
        settleNames()
        note(.syncDirectory, String(folder), 0, offset: 0, length: 0, by: client, at: stamp)
    }

    /// Size, inode and last change of a file; nil when it is not there.
    package func look(
        at path: String,
        by client: DiskClient
    ) throws(DiskError) -> (size: Int64, inode: UInt64, modifiedNanoseconds: Int64)? {
        try admit(client, .look, path)
        awaitNames(for: client)
        guard let inode = names[path] else { return nil }
        awaitOthers(inode, for: client)
        return (inode.cached.size, inode.number, max(0, inode.lastStamp))
    }

    /// Paths that begin with `prefix`, sorted.
    package func list(prefix: String, by client: DiskClient) throws(DiskError) -> [String] {
        try admit(client, .look, prefix)
        awaitNames(for: client)
        return names.keys.filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// A synced file takes its own names with it, and those that they stand upon.
    ///
    /// ext4 and F2FS do so when a new file is synced; strict POSIX would ask for the folder.
    func markNames(of inode: Inode, with mark: SyncMark) {
        guard firstUnmarkedName < pendingNames.count else { return }
        var touched: [String] = []
        for index in (firstUnmarkedName..<pendingNames.count).reversed()
        where pendingNames[index].mark == nil {
            let entry = pendingNames[index]
            let names = entry.names
            guard entry.inode === inode || names.contains(where: { touched.contains($0) })
            else { continue }
            cover(index, with: mark)
            touched += names
        }
        while firstUnmarkedName < pendingNames.count,
            pendingNames[firstUnmarkedName].mark != nil
        {
            firstUnmarkedName += 1
        }
    }

    private func cover(_ index: Int, with mark: SyncMark) {
        pendingNames[index].mark = mark
        earliestNameSync = min(earliestNameSync, mark.stamp)
    }

    static func folder(of path: String) -> Substring {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return path[..<slash]
    }

    private func change(
        _ change: PendingName.Change,
        of inode: Inode,
        by client: DiskClient,
        at stamp: Int64
    ) {
        let entry = PendingName(
            sequence: nextSequence(),
            stamp: stamp,
            client: client.id,
            change: change,
            inode: inode,
            mark: nil
        )
        entry.apply(to: &names)
        pendingNames.append(entry)
        touchNames(client, at: stamp)
        if pendingNames.count % 64 == 0 { settleNames() }
    }

    private func unlinked(_ inode: Inode) {
        inode.linkCount -= 1
        if !inode.isAlive { usedBlocks -= inode.cached.blocks }
    }
}
