import Quantities
import SimulationKernel

/// A phone's flash: inodes, a page cache, folders apart from data, and all that is not safe yet.
///
/// Processes reach it through a `DiskClient` each. A call does its work at once and tells the
/// client how long it took (`charge`); the operation is stamped with the client's local time after
/// that. So a kill at an instant can undo what a long call had stamped later, and a power loss can
/// keep, drop or tear each operation that no sync had made safe. What is safe follows
/// `DiskProfile.persistence`.
///
/// Leaves to others: who lives and dies, what a lag does to a process, and SQLite.
package final class SimulatedDisk {
    /// How it behaves.
    package let profile: DiskProfile
    /// Told of every operation that was carried out.
    package var onNote: ((DiskNote) -> Void)?
    /// Told where each database's write transactions stand; may kill from within.
    package var onTransaction: ((DiskTransactionEvent) -> Void)?

    let now: () -> SimulationInstant
    private var latency: RandomStream

    // Names as processes see them, as they are on the device, and the changes between.
    var names: [String: Inode] = [:]
    var durableNames: [String: Inode] = [:]
    var pendingNames: [PendingName] = []
    /// Entries of `pendingNames` before this one are all covered by a sync.
    var firstUnmarkedName = 0
    /// Stamp of the earliest sync that covers a name; none can settle before it.
    var earliestNameSync: Int64 = .max
    private var lastNameStamp: Int64 = .min
    private var lastNameClient: DiskClient?

    var clients: [DiskClient] = []
    var activities: [String: DatabaseActivity] = [:]
    var injections: [(id: Int, injection: DiskInjection)] = []
    var injectionCount = 0

    private var sequence: UInt64 = 0
    private var inodeCount: UInt64 = 0
    /// Drains of the device's cache that lie in the future, and the last one that does not.
    var drains: [SyncMark] = []
    var drainedThrough: UInt64 = 0

    // Accounts, in blocks of the page size and in bytes.
    var usedBlocks = 0
    var peakBlocks = 0
    var writtenBytes: Int64 = 0
    var syncCount = 0
    var limitBlocks = Int.max

    /// Makes an empty disk.
    ///
    /// `latency` is its own random stream; `now` is the world's time, behind every client's stamp.
    package init(
        profile: DiskProfile,
        latency: RandomStream,
        now: @escaping () -> SimulationInstant
    ) {
        self.profile = profile
        self.latency = latency
        self.now = now
    }

    func nextSequence() -> UInt64 {
        sequence += 1
        return sequence
    }

    func makeInode() -> Inode {
        inodeCount += 1
        return Inode(number: inodeCount)
    }

    /// Every request passes here first: the dead get nothing, a plan may kill, a fault may answer.
    func admit(_ client: DiskClient, _ effect: DiskEffect, _ path: String) throws(DiskError) {
        guard !client.isFenced else { throw .fenced }
        guard client.effect(effect, path) else {
            processDied(client, at: client.stamp())
            throw .fenced
        }
        guard !client.isFenced else { throw .fenced }
        guard !injections.isEmpty else { return }
        for entry in injections
        where entry.injection.effects.contains(effect) && path.hasPrefix(entry.injection.prefix) {
            client.wasRefused()
            throw entry.injection.error
        }
    }

    /// Waits until another process's last change of the file has happened by this one's own time.
    func awaitOthers(_ inode: Inode, for client: DiskClient) {
        observe(inode, by: client)
        payDebt(of: client)
    }

    /// Waits until another process's last change of names has happened by this one's own time.
    func awaitNames(for client: DiskClient) {
        if let last = lastNameClient, last !== client { owe(lastNameStamp, to: last, by: client) }
        payDebt(of: client)
    }

    /// Sees another process's last change of the file, and owes the wait for it.
    ///
    /// Paid before the next thing that the process does. A database's reader pays only as it writes
    /// or gives its locks back, so that a write lock which is held by then is met as busy.
    func observe(_ inode: Inode, by client: DiskClient) {
        guard let last = inode.lastClient, last !== client else { return }
        owe(inode.lastStamp, to: last, by: client)
    }

    /// Makes the process wait for what it has seen.
    func payDebt(of client: DiskClient) {
        guard client.owedUntil > .min else { return }
        let mine = client.stamp().nanoseconds
        if client.owedUntil > mine { client.charge(.nanoseconds(client.owedUntil - mine)) }
        client.owedUntil = .min
    }

    private func owe(_ stamp: Int64, to other: DiskClient, by client: DiskClient) {
        other.observedThrough = max(other.observedThrough, stamp)
        client.owedUntil = max(client.owedUntil, stamp)
    }

    func touchNames(_ client: DiskClient, at stamp: Int64) {
        lastNameStamp = stamp
        lastNameClient = client
    }

    /// All processes are gone: nobody waits for anybody.
    func forgetNameChanges() {
        lastNameClient = nil
    }

    func pay(_ span: Duration, by client: DiskClient) {
        if span > .zero { client.charge(span) }
    }

    /// How long this sync takes; `dirty` bytes have to be written out.
    func syncSpan(full: Bool, dirty: Int64) -> Duration {
        let distribution = full ? profile.fullSyncLatency : profile.syncLatency
        let isSlow =
            distribution.tailChance > .never && latency.happens(distribution.tailChance)
        let range = isSlow ? distribution.tail : distribution.usual
        var span = range.isFixed ? range.lower : latency.duration(in: range)
        if let rate = profile.flushBytesPerSecond, dirty > 0 {
            let (whole, rest) = dirty.quotientAndRemainder(dividingBy: rate)
            span += .seconds(whole) + .nanoseconds(rest * 1_000_000_000 / rate)
        }
        return span
    }

    func note(
        _ effect: DiskEffect,
        _ path: String,
        _ inode: UInt64,
        offset: Int64,
        length: Int,
        by client: DiskClient,
        at stamp: Int64
    ) {
        onNote?(
            DiskNote(
                effect: effect,
                path: path,
                file: inode,
                offset: offset,
                length: length,
                client: client.id,
                stamp: SimulationInstant(nanoseconds: stamp)
            )
        )
    }

    func activity(of path: String) -> DatabaseActivity {
        if let known = activities[path] { return known }
        let made = DatabaseActivity(path: path)
        activities[path] = made
        return made
    }

    func tell(_ event: DiskTransactionEvent) {
        onTransaction?(event)
    }
}
