import Quantities

/// Moving what is safe from the pending operations to the device.
extension SimulatedDisk {
    /// Whether what a sync covers is safe by now; one that lies in the future never is.
    func isSafe(_ mark: SyncMark, at now: Int64) -> Bool {
        switch profile.persistence {
        case .onSync:
            return mark.stamp <= now
        case .onFullSync:
            if mark.isFull, mark.stamp <= now { return true }
            return mark.sequence <= drainedThrough
        case .delayed(let span):
            return mark.stamp + span.wholeNanoseconds <= now
        }
    }

    /// Whether the system has written an operation out by itself.
    private func isWrittenBack(_ stamp: Int64, at now: Int64) -> Bool {
        guard let writeback = profile.writeback else { return false }
        return now - stamp >= writeback.wholeNanoseconds
    }

    /// Drains of the device's cache that have happened by `now`.
    func advanceDrains(to now: Int64) {
        guard !drains.isEmpty else { return }
        for drain in drains where drain.stamp <= now {
            drainedThrough = max(drainedThrough, drain.sequence)
        }
        drains.removeAll { $0.stamp <= now }
    }

    /// Moves the changes of a file that are safe by now, always from the oldest on.
    func settle(_ inode: Inode) {
        settle(inode, at: now().nanoseconds)
    }

    func settle(_ inode: Inode, at now: Int64) {
        guard inode.earliestSync <= now || profile.writeback != nil else { return }
        advanceDrains(to: now)
        var safe = 0
        for (index, operation) in inode.pending.enumerated() {
            if operation.stamp > now { break }
            if isWrittenBack(operation.stamp, at: now) {
                safe = index + 1
            } else if case .sync(let isFull) = operation.change {
                let mark = SyncMark(
                    sequence: operation.sequence,
                    stamp: operation.stamp,
                    client: operation.client,
                    isFull: isFull
                )
                if isSafe(mark, at: now) { safe = index + 1 }
            }
        }
        inode.settle(first: safe)
    }

    /// Writes out what is old in files that nobody touches any more; lets go of its copies.
    func sweep() {
        guard profile.writeback != nil else { return }
        for inode in allInodes() { settle(inode) }
    }

    /// Moves the changes of names that are safe by now.
    func settleNames() {
        settleNames(at: now().nanoseconds)
    }

    func settleNames(at now: Int64) {
        guard let oldest = pendingNames.first else { return }
        guard earliestNameSync <= now || isWrittenBack(oldest.stamp, at: now) else { return }
        advanceDrains(to: now)
        pendingNames.removeAll { entry in
            let isKept = entry.mark.map { isSafe($0, at: now) } ?? false
            guard isKept || isWrittenBack(entry.stamp, at: now) else { return false }
            entry.apply(to: &durableNames)
            return true
        }
        countNameSyncs()
    }

    /// Reckons the shortcuts over `pendingNames` anew, after entries have gone or lost their sync.
    func countNameSyncs() {
        firstUnmarkedName = 0
        earliestNameSync = .max
        for entry in pendingNames {
            if let mark = entry.mark { earliestNameSync = min(earliestNameSync, mark.stamp) }
        }
    }

    /// Every inode that has a name, had one, or is open, in order of its number.
    func allInodes() -> [Inode] {
        var found: [UInt64: Inode] = [:]
        for inode in names.values { found[inode.number] = inode }
        for inode in durableNames.values { found[inode.number] = inode }
        for entry in pendingNames { found[entry.inode.number] = entry.inode }
        for client in clients {
            for handle in client.handles {
                let inode = handle.takeUnretainedValue().inode
                found[inode.number] = inode
            }
        }
        return found.values.sorted { $0.number < $1.number }
    }

    /// Counts names and blocks anew, after names were undone or lost.
    func recount() {
        let inodes = allInodes()
        for inode in inodes { inode.linkCount = 0 }
        for inode in names.values { inode.linkCount += 1 }
        usedBlocks = 0
        for inode in inodes where inode.isAlive { usedBlocks += inode.cached.blocks }
        peakBlocks = max(peakBlocks, usedBlocks)
    }
}
