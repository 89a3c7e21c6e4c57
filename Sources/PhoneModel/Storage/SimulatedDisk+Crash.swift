import Quantities
import SimulationKernel

/// What is left when a process or the whole phone dies.
extension SimulatedDisk {
    /// A process died at `instant` of its own time: what it had stamped later never happened.
    ///
    /// The page cache stays, locks are released, shared memory goes with its last user. Every later
    /// call of the client fails with `fenced`. Does nothing when it is dead already.
    package func processDied(_ client: DiskClient, at instant: SimulationInstant) {
        guard !client.isFenced else { return }
        client.isFenced = true
        undoOperations(after: instant, by: client)
        release(client)
    }

    /// When the last of what a process did that another has seen happened, by its own time; nil if nothing was seen.
    ///
    /// The other waited for it: a death comes later.
    package func lastSeen(of client: DiskClient) -> SimulationInstant? {
        client.observedThrough > .min ? SimulationInstant(nanoseconds: client.observedThrough) : nil
    }

    /// Takes back what a process has stamped later than `instant`.
    ///
    /// What another process has seen already stays: it happened before the death, as that one
    /// waited for it. Shared wal-indexes of files that changed are made invalid, so that the
    /// processes left rebuild them.
    package func undoOperations(after instant: SimulationInstant, by client: DiskClient) {
        undo(after: max(instant.nanoseconds, client.observedThrough), by: client)
    }

    /// The phone lost power at `instant`: each unsafe operation is kept, dropped or torn.
    ///
    /// All processes die. A write is dropped or kept whole with a chance of a quarter each, else
    /// torn: each 512-byte sector kept with two thirds. A truncation or a change of names is kept
    /// with one half; a dropped change of names takes later ones of the same names with it. The
    /// chances are an assumption: a crash test wants all outcomes, not likely ones.
    package func powerLoss(at instant: SimulationInstant, _ stream: inout RandomStream) {
        let last = instant.nanoseconds
        for client in clients {
            client.isFenced = true
            undo(after: last, by: client)
            release(client)
        }
        clients.removeAll()
        let inodes = allInodes()
        for inode in inodes { settle(inode, at: last) }
        settleNames(at: last)
        let horizon = orderedHorizon(inodes, &stream)
        for inode in inodes { lose(inode, after: horizon, &stream) }
        loseNames(after: horizon, &stream)
        restart()
    }

    /// The phone was shut down in order: all processes end, everything is written out.
    package func shutDown(at instant: SimulationInstant) {
        for client in clients {
            client.isFenced = true
            undo(after: instant.nanoseconds, by: client)
            release(client)
        }
        clients.removeAll()
        for inode in allInodes() { inode.settle(first: inode.pending.count) }
        for entry in pendingNames { entry.apply(to: &durableNames) }
        pendingNames.removeAll()
        restart()
    }

    /// The world is over: every call fails from here on, and what files held is given back.
    ///
    /// Dead processes never let go of their handles; without this each would keep its files for ever.
    package func discard() {
        onNote = nil
        onTransaction = nil
        for inode in allInodes() { inode.forgetBytes() }
        for client in clients {
            client.isFenced = true
            release(client)
        }
        clients.removeAll()
        names = [:]
        durableNames = [:]
        pendingNames = []
        activities = [:]
    }

    private func undo(after limit: Int64, by client: DiskClient) {
        var changed: Set<UInt64> = []
        for inode in allInodes() where undo(inode, after: limit, by: client.id) {
            changed.insert(inode.number)
        }
        let before = pendingNames.count
        pendingNames.removeAll { $0.client == client.id && $0.stamp > limit }
        let isRenamed = pendingNames.count < before
        for index in pendingNames.indices {
            guard let mark = pendingNames[index].mark else { continue }
            if mark.client == client.id, mark.stamp > limit { pendingNames[index].mark = nil }
        }
        countNameSyncs()
        drains.removeAll { $0.client == client.id && $0.stamp > limit }
        guard isRenamed || !changed.isEmpty else { return }
        if isRenamed {
            names = durableNames
            for entry in pendingNames { entry.apply(to: &names) }
        }
        recount()
        for (path, inode) in names {
            guard let memory = inode.sharedMemory else { continue }
            let wal = names[path + "-wal"]?.number
            if changed.contains(inode.number) || wal.map({ changed.contains($0) }) ?? isRenamed {
                memory.invalidateIndex()
            }
        }
    }

    private func undo(_ inode: Inode, after limit: Int64, by client: Int) -> Bool {
        guard inode.pending.contains(where: { $0.client == client && $0.stamp > limit }) else {
            return false
        }
        for operation in inode.pending where operation.client == client && operation.stamp > limit {
            switch operation.change {
            case .write(_, let bytes): writtenBytes -= Int64(bytes.count)
            case .sync: syncCount -= 1
            case .truncate: break
            }
        }
        inode.pending.removeAll { $0.client == client && $0.stamp > limit }
        inode.rebuildCache()
        inode.lastStamp = min(inode.lastStamp, limit)
        return true
    }

    /// Takes a dead process out of the books.
    private func release(_ client: DiskClient) {
        clients.removeAll { $0 === client }
        for inode in allInodes() { inode.releases.forget(client: client.id) }
        for handle in client.handles {
            let opened = handle.takeUnretainedValue()
            opened.activity?.cut(by: client) { tell($0) }
            opened.forget()
        }
    }

    /// How far an ordering device got: nothing after the barrier of that number reached it.
    ///
    /// A plain sync of `onFullSync` is a barrier. The device has done everything before some
    /// barrier, something between it and the next, and nothing after; which one, chance says.
    private func orderedHorizon(
        _ inodes: [Inode],
        _ stream: inout RandomStream
    ) -> (safe: UInt64, last: UInt64)? {
        guard profile.persistence == .onFullSync else { return nil }
        var barriers: [UInt64] = []
        for inode in inodes {
            for operation in inode.pending {
                if case .sync = operation.change { barriers.append(operation.sequence) }
            }
        }
        barriers.sort()
        let done = Int(stream.below(UInt64(barriers.count + 1)))
        return (
            safe: done == 0 ? 0 : barriers[done - 1],
            last: done == barriers.count ? .max : barriers[done]
        )
    }

    private func lose(
        _ inode: Inode,
        after horizon: (safe: UInt64, last: UInt64)?,
        _ stream: inout RandomStream
    ) {
        if let horizon {
            // A barrier that was reached makes safe what its own file had pending before it.
            var safe = 0
            for (index, operation) in inode.pending.enumerated() {
                if case .sync = operation.change, operation.sequence <= horizon.safe {
                    safe = index + 1
                }
            }
            inode.settle(first: safe)
        }
        for operation in inode.pending {
            if let horizon, operation.sequence > horizon.last { break }
            keepSomething(of: operation, in: inode, &stream)
        }
        inode.pending.removeAll()
        inode.earliestSync = .max
    }

    private func keepSomething(
        of operation: PendingOperation,
        in inode: Inode,
        _ stream: inout RandomStream
    ) {
        switch operation.change {
        case .sync:
            return
        case .truncate:
            if stream.below(2) == 0 { operation.apply(to: &inode.durable) }
        case .write(let offset, let bytes):
            switch stream.below(4) {
            case 0: return
            case 1: operation.apply(to: &inode.durable)
            default: tear(bytes, at: offset, in: inode, &stream)
            }
        }
    }

    /// Writes some of the 512-byte sectors of a write, aligned as the device has them.
    private func tear(
        _ bytes: [UInt8],
        at offset: Int64,
        in inode: Inode,
        _ stream: inout RandomStream
    ) {
        var start = 0
        while start < bytes.count {
            let position = offset + Int64(start)
            let end = min(bytes.count, start + 512 - Int(position % 512))
            let fate = stream.below(3)
            if fate != 0 {
                var sector = [UInt8](bytes[start..<end])
                if fate == 2, profile.tearsIntoGarbage {
                    for index in sector.indices {
                        sector[index] = UInt8(truncatingIfNeeded: stream.next())
                    }
                }
                sector.withUnsafeBytes { inode.durable.write($0, at: position) }
            }
            start = end
        }
    }

    private func loseNames(
        after horizon: (safe: UInt64, last: UInt64)?,
        _ stream: inout RandomStream
    ) {
        var dropped: [String] = []
        for entry in pendingNames {
            let isSafe = horizon.map { entry.mark?.sequence ?? .max <= $0.safe } ?? false
            let isTooLate = horizon.map { entry.sequence > $0.last } ?? false
            let isKept = isSafe || (!isTooLate && stream.below(2) == 0)
            let touched = entry.names
            if isKept, !touched.contains(where: { dropped.contains($0) }) {
                entry.apply(to: &durableNames)
            } else {
                dropped += touched
            }
        }
        pendingNames.removeAll()
    }

    /// What the device holds is all there is.
    private func restart() {
        names = durableNames
        for inode in allInodes() {
            inode.cached = inode.durable
            inode.handles.removeAll()
            inode.sharedMemory = nil
            inode.releases = LockReleases()
            inode.lastClient = nil
            inode.lastStamp = min(inode.lastStamp, now().nanoseconds)
            inode.unsyncedBytes = 0
        }
        drains.removeAll()
        countNameSyncs()
        forgetNameChanges()
        recount()
    }
}
