import Quantities

/// Locks between the handles of a file, in one process or in two.
extension DiskHandle {
    /// Takes or raises the lock on the file; false when another handle is in the way.
    ///
    /// A handle that is refused `exclusive` only because of readers keeps `pending`, which lets no
    /// new reader in (sqlite.org/lockingv3).
    package func lock(_ wanted: DiskLockLevel) throws(DiskError) -> Bool {
        try disk.admit(client, .lock, path)
        let isTaken = wanted <= level || take(wanted)
        if !isTaken { client.wasRefused() }
        return isTaken
    }

    private func take(_ wanted: DiskLockLevel) -> Bool {
        let others = highestLevelOfOthers()
        let stamp = client.stamp().nanoseconds
        func isBlocked(_ kind: LockReleases.Kind) -> Bool {
            inode.releases.blocks(kind, for: client.id, at: stamp)
        }
        switch wanted {
        case .none, .pending:
            return true
        case .shared:
            guard others < .pending, !isBlocked(.exclusive) else { return false }
        case .reserved:
            guard others < .reserved, !isBlocked(.reserved) else { return false }
            arm(.rollback)
        case .exclusive:
            guard others < .reserved, !isBlocked(.reserved) else { return false }
            level = .pending
            guard others < .shared, !isBlocked(.shared) else { return false }
        }
        level = wanted
        return true
    }

    /// Gives the lock back down to `wanted`: `shared` or `none`.
    package func unlock(to wanted: DiskLockLevel) {
        guard !client.isFenced, wanted < level else { return }
        disk.payDebt(of: client)
        let held = level
        level = wanted
        if held >= .reserved { activity?.disarm(by: client) { disk.tell($0) } }
        let stamp = client.stamp().nanoseconds
        let now = disk.now().nanoseconds
        func record(_ kind: LockReleases.Kind) {
            inode.releases.record(kind, by: client.id, at: stamp, now: now)
        }
        if wanted < .shared { record(.shared) }
        if held >= .reserved { record(.reserved) }
        if held >= .pending { record(.exclusive) }
    }

    /// Whether any handle holds `reserved` or more.
    package func isReserved() throws(DiskError) -> Bool {
        try disk.admit(client, .lock, path)
        return level >= .reserved || highestLevelOfOthers() >= .reserved
            || inode.releases.blocks(
                .reserved,
                for: client.id,
                at: client.stamp().nanoseconds
            )
    }

    private func highestLevelOfOthers() -> DiskLockLevel {
        var highest = DiskLockLevel.none
        for handle in inode.handles {
            let other = handle.takeUnretainedValue()
            if other !== self { highest = max(highest, other.level) }
        }
        return highest
    }

    private func arm(_ mode: DatabaseActivity.Mode) {
        let found = activity ?? disk.activity(of: path)
        activity = found
        found.arm(mode, by: client)
    }
}

/// Memory that the handles of a file share, and its lock slots: the wal-index.
extension DiskHandle {
    /// Region `index`, zeros when new; nil when it is not there and `extend` is false.
    package func region(
        _ index: Int,
        size: Int,
        extend: Bool
    ) throws(DiskError) -> UnsafeMutableRawPointer? {
        try disk.admit(client, .map, path)
        return attachedRegions().region(index, size: size, extend: extend)
    }

    /// Takes lock slots, all or none; false when another handle is in the way.
    package func lock(slots: Range<Int>, exclusive: Bool) throws(DiskError) -> Bool {
        try disk.admit(client, .lock, path)
        let isTaken = take(slots: slots, exclusive: exclusive)
        if !isTaken { client.wasRefused() }
        return isTaken
    }

    private func take(slots: Range<Int>, exclusive: Bool) -> Bool {
        let wanted = Self.mask(slots)
        let stamp = client.stamp().nanoseconds
        for handle in attachedRegions().handles {
            let other = handle.takeUnretainedValue()
            guard other !== self else { continue }
            let taken = exclusive ? other.sharedSlots | other.exclusiveSlots : other.exclusiveSlots
            if taken & wanted != 0 { return false }
        }
        for slot in slots {
            if inode.releases.blocks(.slot(slot, exclusive: true), for: client.id, at: stamp) {
                return false
            }
            if exclusive,
                inode.releases.blocks(.slot(slot, exclusive: false), for: client.id, at: stamp)
            {
                return false
            }
        }
        if exclusive { exclusiveSlots |= wanted } else { sharedSlots |= wanted }
        // Slot 0 is the WAL's write lock (sqlite.org/walformat#wal_locks).
        if exclusive, slots.contains(0) { arm(.wal) }
        return true
    }

    /// Gives lock slots back.
    package func unlock(slots: Range<Int>, exclusive: Bool) {
        guard !client.isFenced else { return }
        disk.payDebt(of: client)
        let given = Self.mask(slots)
        if exclusive { exclusiveSlots &= ~given } else { sharedSlots &= ~given }
        if exclusive, slots.contains(0) { activity?.disarm(by: client) { disk.tell($0) } }
        let stamp = client.stamp().nanoseconds
        let now = disk.now().nanoseconds
        guard stamp > now else { return }
        for slot in slots {
            inode.releases.record(
                .slot(slot, exclusive: exclusive),
                by: client.id,
                at: stamp,
                now: now
            )
        }
    }

    /// Ends the use of the shared memory; the last living handle takes it away.
    package func detachRegions() {
        guard !client.isFenced, let regions else { return }
        if exclusiveSlots & 1 != 0 { activity?.disarm(by: client) { disk.tell($0) } }
        sharedSlots = 0
        exclusiveSlots = 0
        regions.handles.removeAll { $0.toOpaque() == Unmanaged.passUnretained(self).toOpaque() }
        if regions.handles.isEmpty, inode.sharedMemory === regions { inode.sharedMemory = nil }
        self.regions = nil
    }

    private func attachedRegions() -> SharedRegions {
        if let regions { return regions }
        let found = inode.sharedMemory ?? SharedRegions()
        inode.sharedMemory = found
        found.handles.append(Unmanaged.passUnretained(self))
        regions = found
        return found
    }

    private static func mask(_ slots: Range<Int>) -> UInt8 {
        slots.reduce(0) { $0 | 1 << UInt8($1) }
    }
}
