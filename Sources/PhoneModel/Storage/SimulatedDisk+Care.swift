import Quantities

/// A file of a snapshot, and of what a profile puts on the phone before the first launch.
package struct DiskSnapshot: Sendable {
    /// Files by path; the bytes are shared with the disk until one of them changes.
    fileprivate var files: [(path: String, pages: SnapshotPages)]

    /// Paths, sorted.
    package var paths: [String] { files.map(\.path) }
}

/// Pages that nobody writes to: safe to hand on.
private struct SnapshotPages: @unchecked Sendable {
    let pages: PageStore
}

/// What is done to the disk from outside of any process: by the system, by a test, by a fault.
extension SimulatedDisk {
    /// Puts a file there, safe at once, replacing what stood there; costs no time.
    package func install(_ path: String, _ bytes: UnsafeRawBufferPointer) {
        var pages = PageStore()
        pages.write(bytes, at: 0)
        install(path, pages)
        recount()
    }

    /// Puts a file there that holds `content`, as `install(_:_:)` does; its bytes are made when read.
    package func install(_ path: String, _ content: SyntheticContent) {
        install(path, PageStore(content))
        recount()
    }

    /// The bytes of a file as processes see them; nil when it is not there.
    package func contents(of path: String) -> [UInt8]? {
        guard let inode = names[path] else { return nil }
        return Self.bytes(of: inode.cached)
    }

    /// The bytes of a file that a power loss could not take; nil when the name is not safe.
    package func safeContents(of path: String) -> [UInt8]? {
        settleNames()
        guard let inode = durableNames[path] else { return nil }
        settle(inode)
        return Self.bytes(of: inode.durable)
    }

    /// Paths that begin with `prefix`, sorted.
    package func paths(prefix: String = "") -> [String] {
        names.keys.filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// Removes a folder's files for good, as the system does with a cache folder when space is low.
    ///
    /// Handles that are open keep their bytes, so it may free nothing and lose much all the same.
    /// Returns how many files it removed.
    @discardableResult
    package func purge(prefix: String) -> Int {
        let removed = paths(prefix: prefix)
        for path in removed {
            settleForGood(path)
            names[path] = nil
            durableNames[path] = nil
        }
        recount()
        return removed.count
    }

    /// Removes one file for good, from outside any process; false when it is not there.
    package func removeFile(_ path: String) -> Bool {
        guard names[path] != nil else { return false }
        settleForGood(path)
        names[path] = nil
        durableNames[path] = nil
        recount()
        return true
    }

    /// What a backup holds now: every file but those below `excluding`.
    package func snapshot(excluding prefixes: [String] = []) -> DiskSnapshot {
        DiskSnapshot(
            files: paths().filter { path in !prefixes.contains { path.hasPrefix($0) } }
                .compactMap { path in
                    names[path].map { (path, SnapshotPages(pages: $0.cached)) }
                }
        )
    }

    /// Replaces everything by a backup's files, after all processes have died: a restored phone.
    package func restore(_ snapshot: DiskSnapshot) {
        shutDown(at: now())
        names.removeAll()
        durableNames.removeAll()
        for file in snapshot.files { install(file.path, file.pages.pages) }
        recount()
    }

    /// The phone's figures so far.
    package var usage: DiskUsage {
        let page = Int64(PageStore.pageSize)
        return DiskUsage(
            used: ByteCount(Int64(usedBlocks) * page),
            peak: ByteCount(Int64(peakBlocks) * page),
            written: ByteCount(writtenBytes),
            syncs: syncCount,
            commits: activities.values.filter { $0.commits > 0 }
                .map { DiskUsage.Commits(database: $0.database, count: $0.commits) }
                .sorted { ($0.database, $0.count) < ($1.database, $1.count) }
        )
    }

    /// The most bytes in blocks so far; `usage.peak` without the cost of the other figures.
    package var peakUsed: ByteCount {
        ByteCount(Int64(peakBlocks) * Int64(PageStore.pageSize))
    }

    /// Leaves so much room beside what is stored now, as if others had filled the device.
    ///
    /// Nil takes the limit away.
    package func setFree(_ room: ByteCount?) {
        guard let room else {
            limitBlocks = .max
            return
        }
        limitBlocks = usedBlocks + Int(room.bytes) / PageStore.pageSize
    }

    /// Answers with a failure from now on; returns a number to take it back with.
    package func inject(_ injection: DiskInjection) -> Int {
        injectionCount += 1
        injections.append((injectionCount, injection))
        return injectionCount
    }

    /// Takes a failure back.
    package func withdrawInjection(_ id: Int) {
        injections.removeAll { $0.id == id }
    }

    private func install(_ path: String, _ pages: PageStore) {
        let inode = makeInode()
        inode.cached = pages
        inode.durable = pages
        settleForGood(path)
        names[path] = inode
        durableNames[path] = inode
    }

    /// Writes out what is pending for a name, so that it can be replaced from outside.
    private func settleForGood(_ path: String) {
        pendingNames.removeAll { entry in
            guard entry.names.contains(path) else { return false }
            entry.apply(to: &durableNames)
            return true
        }
        countNameSyncs()
    }

    private static func bytes(of pages: PageStore) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(pages.size)) { buffer, count in
            count = pages.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
        }
    }
}
