import Quantities

/// How a phone's flash and file system behave, as data.
///
/// Each preset says where its figures are from.
package struct DiskProfile: Equatable, Sendable {
    /// When a sync that has returned is really safe from a power loss.
    package enum SyncPersistence: Equatable, Sendable {
        /// As it returns.
        case onSync
        /// A plain sync only orders; one with `full` makes it and all before it safe.
        case onFullSync
        /// So much later: the device lies.
        case delayed(Duration)
    }

    /// How long one sync takes: uniform in `usual`, or with a small chance in `tail`.
    package struct Latency: Equatable, Sendable {
        /// The usual range.
        package var usual: QuantityRange<Duration>
        /// The range of the slow ones.
        package var tail: QuantityRange<Duration>
        /// How often a slow one comes.
        package var tailChance: Probability

        /// Makes a distribution.
        package init(
            usual: QuantityRange<Duration>,
            tail: QuantityRange<Duration>? = nil,
            tailChance: Probability = .never
        ) {
            self.usual = usual
            self.tail = tail ?? usual
            self.tailChance = tailChance
        }

        /// Always the same.
        package static func fixed(_ span: Duration) -> Latency {
            Latency(usual: QuantityRange(span))
        }
    }

    /// What changing the flash costs.
    package struct WearEnergy: Equatable, Sendable {
        /// For each byte.
        package var perByte: Energy
        /// For each sync.
        package var perSync: Energy

        /// Makes amounts.
        package init(perByte: Energy, perSync: Energy) {
            self.perByte = perByte
            self.perSync = perSync
        }

        /// Nothing.
        package static let none = WearEnergy(perByte: .zero, perSync: .zero)

        /// 3 nJ a byte and 200 uJ a sync: assumptions.
        ///
        /// The first is a page of 16 KiB in 0.6 ms at 25 mA and 3.3 V, 50 uJ, as data sheets of NAND
        /// flash have it; the second the controller at 100 mW for 2 ms.
        package static let nand = WearEnergy(
            perByte: Energy(nanojoules: 3),
            perSync: Energy(nanojoules: 200_000)
        )
    }

    /// The name that profiles write, such as "f2fs-ufs".
    package var name: String
    /// Time of one write call: a copy into the page cache.
    package var writeLatency: Duration
    /// Time of a creation, removal or rename.
    package var nameLatency: Duration
    /// Time of a plain sync of a file or folder.
    package var syncLatency: Latency
    /// Time of a sync that also drains the device's cache; the plain one where each sync does.
    package var fullSyncLatency: Latency
    /// Rate at which a sync writes out what is dirty, in bytes a second; nil takes no time for it.
    package var flushBytesPerSecond: Int64?
    /// What a sync is worth.
    package var persistence: SyncPersistence
    /// The smallest write that disturbs no neighbour, for SQLite.
    package var sectorSize: Int
    /// Whether a torn sector may hold noise, rather than its old bytes.
    package var tearsIntoGarbage: Bool
    /// Age at which the system writes cached data out by itself; nil never, the hardest case.
    package var writeback: Duration?
    /// What writes and syncs cost.
    package var energy: WearEnergy

    /// Makes a profile.
    package init(
        name: String,
        writeLatency: Duration,
        nameLatency: Duration,
        syncLatency: Latency,
        fullSyncLatency: Latency? = nil,
        flushBytesPerSecond: Int64? = nil,
        persistence: SyncPersistence = .onSync,
        sectorSize: Int = 4_096,
        tearsIntoGarbage: Bool = false,
        writeback: Duration? = nil,
        energy: WearEnergy = .nand
    ) {
        self.energy = energy
        self.name = name
        self.writeLatency = writeLatency
        self.nameLatency = nameLatency
        self.syncLatency = syncLatency
        self.fullSyncLatency = fullSyncLatency ?? syncLatency
        self.flushBytesPerSecond = flushBytesPerSecond
        self.persistence = persistence
        self.sectorSize = sectorSize
        self.tearsIntoGarbage = tearsIntoGarbage
        self.writeback = writeback
    }
}
