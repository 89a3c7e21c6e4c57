import Quantities

/// An open file of one process; letting go of it closes it.
package final class DiskHandle {
    /// The name it was opened by.
    package let path: String
    /// The process that opened it.
    package let client: DiskClient
    let disk: SimulatedDisk
    let inode: Inode
    let role: DatabaseActivity.Role
    /// The database that the file is of, once that is known.
    var activity: DatabaseActivity?
    var level = DiskLockLevel.none
    var regions: SharedRegions?
    var sharedSlots: UInt8 = 0
    var exclusiveSlots: UInt8 = 0
    private var isOpen = true

    init(disk: SimulatedDisk, client: DiskClient, inode: Inode, path: String) {
        self.disk = disk
        self.client = client
        self.inode = inode
        self.path = path
        let (base, role) = DatabaseActivity.role(of: path)
        self.role = role
        if role != .database { activity = disk.activity(of: base) }
        inode.handles.append(Unmanaged.passUnretained(self))
        client.handles.append(Unmanaged.passUnretained(self))
    }

    deinit {
        close()
    }

    /// Which file it is, whatever its name is now.
    package var file: UInt64 { inode.number }

    /// Ends the use of the file and drops its locks; a dead process's call does nothing.
    package func close() {
        guard isOpen else { return }
        if !client.isFenced {
            disk.payDebt(of: client)
            detachRegions()
            unlock(to: .none)
        }
        forget()
    }

    /// Takes the handle out of the disk's books; its locks go with it.
    func forget() {
        guard isOpen else { return }
        isOpen = false
        level = .none
        sharedSlots = 0
        exclusiveSlots = 0
        let place = Unmanaged.passUnretained(self).toOpaque()
        inode.handles.removeAll { $0.toOpaque() == place }
        client.handles.removeAll { $0.toOpaque() == place }
        if let regions {
            // The regions stay with this handle: its process may still write into them.
            regions.handles.removeAll { $0.toOpaque() == place }
            if regions.handles.isEmpty, inode.sharedMemory === regions { inode.sharedMemory = nil }
        }
        if !inode.isAlive { disk.usedBlocks -= inode.cached.blocks }
    }

    /// Bytes in the file.
    package func size() throws(DiskError) -> Int64 {
        try disk.admit(client, .size, path)
        observe()
        return inode.cached.size
    }

    /// Reads what is there; returns how many bytes there were.
    ///
    /// Costs no time: what an app reads again and again is in the page cache.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(DiskError) -> Int {
        try disk.admit(client, .read, path)
        observe()
        let count = inode.cached.read(into: buffer, at: offset)
        if disk.onNote != nil {
            disk.note(
                .read,
                path,
                inode.number,
                offset: offset,
                length: buffer.count,
                by: client,
                at: client.stamp().nanoseconds
            )
        }
        return count
    }

    /// Writes all of `buffer`, or nothing.
    package func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(DiskError) {
        if let activity, !client.isFenced {
            activity.write(role, by: client) { disk.tell($0) }
        }
        try disk.admit(client, .write, path)
        disk.awaitOthers(inode, for: client)
        let added = inode.cached.blocksAdded(byWriting: buffer.count, at: offset)
        guard added == 0 || disk.usedBlocks + added <= disk.limitBlocks else {
            client.wasRefused()
            throw .noSpace
        }
        disk.pay(disk.profile.writeLatency, by: client)
        let stamp = client.stamp().nanoseconds
        inode.cached.write(buffer, at: offset)
        inode.unsyncedBytes += Int64(buffer.count)
        disk.usedBlocks += added
        disk.peakBlocks = max(disk.peakBlocks, disk.usedBlocks)
        disk.writtenBytes += Int64(buffer.count)
        append(.write(offset: offset, bytes: [UInt8](buffer)), at: stamp)
        disk.note(
            .write,
            path,
            inode.number,
            offset: offset,
            length: buffer.count,
            by: client,
            at: stamp
        )
    }

    /// Cuts or extends the file.
    package func truncate(to size: Int64) throws(DiskError) {
        try disk.admit(client, .truncate, path)
        disk.awaitOthers(inode, for: client)
        disk.pay(disk.profile.nameLatency, by: client)
        let stamp = client.stamp().nanoseconds
        let before = inode.cached.blocks
        inode.cached.truncate(to: size)
        disk.usedBlocks += inode.cached.blocks - before
        append(.truncate(size: size), at: stamp)
        disk.note(.truncate, path, inode.number, offset: size, length: 0, by: client, at: stamp)
    }

    /// Makes the file safe, as far as the profile's syncs are worth something.
    package func sync(full: Bool) throws(DiskError) {
        try disk.admit(client, .sync, path)
        disk.awaitOthers(inode, for: client)
        disk.pay(disk.syncSpan(full: full, dirty: inode.unsyncedBytes), by: client)
        inode.unsyncedBytes = 0
        let stamp = client.stamp().nanoseconds
        let mark = append(.sync(isFull: full), at: stamp)
        inode.earliestSync = min(inode.earliestSync, stamp)
        disk.markNames(of: inode, with: mark)
        if full, disk.profile.persistence == .onFullSync { disk.drains.append(mark) }
        disk.syncCount += 1
        disk.settle(inode)
        disk.settleNames()
        disk.note(.sync, path, inode.number, offset: 0, length: 0, by: client, at: stamp)
    }

    /// Waits for what others did to a plain file; a file of a database is paid for later.
    private func observe() {
        disk.observe(inode, by: client)
        if role == .database, level == .none, sharedSlots | exclusiveSlots == 0 {
            disk.payDebt(of: client)
        }
    }

    @discardableResult
    private func append(_ change: PendingOperation.Change, at stamp: Int64) -> SyncMark {
        let sequence = disk.nextSequence()
        inode.pending.append(
            PendingOperation(sequence: sequence, stamp: stamp, client: client.id, change: change)
        )
        inode.lastStamp = stamp
        inode.lastClient = client
        if inode.pending.count % 64 == 0 { disk.settle(inode) }
        if sequence % 4_096 == 0 { disk.sweep() }
        guard case .sync(let isFull) = change else {
            return SyncMark(sequence: sequence, stamp: stamp, client: client.id, isFull: false)
        }
        return SyncMark(sequence: sequence, stamp: stamp, client: client.id, isFull: isFull)
    }
}
