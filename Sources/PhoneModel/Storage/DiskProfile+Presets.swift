import Quantities

extension DiskProfile {
    /// No latency at all, and a sync is a sync: for derivations.
    package static let ideal = ideal(syncing: .zero)

    /// No latency but a fixed one for each sync: F18 asks for 2 ms.
    package static func ideal(syncing span: Duration) -> DiskProfile {
        DiskProfile(
            name: "ideal",
            writeLatency: .zero,
            nameLatency: .zero,
            syncLatency: .fixed(span),
            energy: .none
        )
    }

    /// A good Android phone: F2FS on UFS.
    ///
    /// Sync: Moto Z (F2FS on UFS 2.0), durable 4 KiB random writes, median near 0.5 ms (T. Glek,
    /// taras.glek.net, 2016); range and tail around it are an assumption. Write call 5 us, name
    /// 30 us, 150 MB/s for dirty data: assumption. Writeback 30 s: Linux's dirty_expire_centisecs of
    /// 3,000 (Documentation/admin-guide/sysctl/vm.rst). Some phones of 2018 mounted F2FS with
    /// fsync_mode=nobarrier, where a sync is weaker than here (device/google/crosshatch e02e481).
    package static let f2fsOnUFS = DiskProfile(
        name: "f2fs-ufs",
        writeLatency: .microseconds(5),
        nameLatency: .microseconds(30),
        syncLatency: Latency(
            usual: QuantityRange(.microseconds(400), .microseconds(1_600)),
            tail: QuantityRange(.milliseconds(4), .milliseconds(25)),
            tailChance: .percent(1)
        ),
        flushBytesPerSecond: 150_000_000,
        writeback: .seconds(30)
    )

    /// An old or cheap phone: ext4 on eMMC.
    ///
    /// Sync: stock Android on eMMC made 39 SQLite inserts a second (Jeong et al., USENIX ATC 2013),
    /// 25 ms each; at two to four syncs an insert that is 6 to 12 ms a sync. The tail of 50 to
    /// 400 ms, its chance, and the other latencies and rates are an assumption. Writeback as above.
    package static let slowEMMC = DiskProfile(
        name: "emmc-slow",
        writeLatency: .microseconds(15),
        nameLatency: .microseconds(100),
        syncLatency: Latency(
            usual: QuantityRange(.milliseconds(6), .milliseconds(12)),
            tail: QuantityRange(.milliseconds(50), .milliseconds(400)),
            tailChance: .percent(3)
        ),
        flushBytesPerSecond: 40_000_000,
        writeback: .seconds(30)
    )

    /// An iPhone: a sync orders writes, and only a full one keeps them.
    ///
    /// Semantics: Apple's fsync(2) says that the drive may keep and reorder the data, and points to
    /// F_FULLFSYNC; that a plain one orders is taken from the project's design. Full sync: a flush
    /// of Apple's NVMe takes 17 to 18 ms (J. Axboe, linux-block b27dc7ae, on M1); that a phone's
    /// flash is alike, the plain sync and the other latencies and rates are an assumption.
    package static let apfs = DiskProfile(
        name: "apfs",
        writeLatency: .microseconds(5),
        nameLatency: .microseconds(30),
        syncLatency: Latency(
            usual: QuantityRange(.microseconds(50), .microseconds(300)),
            tail: QuantityRange(.milliseconds(1), .milliseconds(5)),
            tailChance: .percent(1)
        ),
        fullSyncLatency: Latency(
            usual: QuantityRange(.milliseconds(17), .milliseconds(18)),
            tail: QuantityRange(.milliseconds(20), .milliseconds(60)),
            tailChance: .percent(1)
        ),
        flushBytesPerSecond: 500_000_000,
        persistence: .onFullSync,
        writeback: .seconds(30)
    )

    /// A device that answers a sync at once and keeps the data two seconds later, in no order.
    ///
    /// Two seconds: assumption, the length of a hurried walk to the battery.
    package static let lying = DiskProfile(
        name: "lying",
        writeLatency: .microseconds(5),
        nameLatency: .microseconds(30),
        syncLatency: .fixed(.microseconds(50)),
        persistence: .delayed(.seconds(2)),
        tearsIntoGarbage: true
    )

    /// Every preset, in the order they are listed to a user.
    package static let all: [DiskProfile] = [.ideal, .f2fsOnUFS, .slowEMMC, .apfs, .lying]

    /// The preset of a name; nil when there is none.
    package static func named(_ name: String) -> DiskProfile? {
        all.first { $0.name == name }
    }
}
