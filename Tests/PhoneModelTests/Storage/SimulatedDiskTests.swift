import PhoneModel
import Quantities
import SimulationKernel
import Testing

/// Names, inodes, and what is safe from a power loss.
@Suite struct SimulatedDiskTests {
    @Test func `a write is in the cache at once and safe after a sync`() throws {
        let bench = DiskBench()
        let file = try bench.open("/a", bench.launch())
        try file.write("hello")
        #expect(bench.text("/a") == "hello")
        #expect(bench.safeText("/a") == nil)
        try file.sync(full: false)
        #expect(bench.safeText("/a") == "hello")
        try file.write("HE")
        #expect(bench.text("/a") == "HEllo")
        #expect(bench.safeText("/a") == "hello")
    }

    @Test func `a journal that is made again inherits no byte of the old one`() throws {
        let bench = DiskBench()
        let process = bench.launch()
        let old = try bench.open("/a-journal", process)
        try old.write("old bytes")
        try old.sync(full: false)
        try bench.disk.remove("/a-journal", syncDirectory: false, by: process.client)
        let new = try bench.open("/a-journal", process)
        #expect(new.file != old.file)
        #expect(bench.text("/a-journal")?.isEmpty == true)
        try new.sync(full: false)
        #expect(bench.safeText("/a-journal")?.isEmpty == true)
        for seed in 1...50 as ClosedRange<UInt64> {
            // Whatever chance says: the name leads to the new inode, empty, in every power loss.
            let again = DiskBench()
            let one = again.launch()
            let first = try again.open("/j", one)
            try first.write("old bytes")
            try first.sync(full: false)
            try again.disk.remove("/j", syncDirectory: false, by: one.client)
            let second = try again.open("/j", one)
            try second.sync(full: false)
            var stream = RandomStream(key: seed)
            again.disk.powerLoss(at: again.now, &stream)
            #expect(again.text("/j")?.isEmpty == true)
        }
    }

    @Test func `an unsynced removal may be undone by a power loss, a synced one never`() throws {
        var cameBack = 0
        for seed in 1...64 as ClosedRange<UInt64> {
            let bench = DiskBench()
            let process = bench.launch()
            for name in ["/kept/a", "/synced/b"] {
                let file = try bench.open(name, process)
                try file.write("x")
                try file.sync(full: false)
            }
            try bench.disk.remove("/kept/a", syncDirectory: false, by: process.client)
            try bench.disk.remove("/synced/b", syncDirectory: true, by: process.client)
            var stream = RandomStream(key: seed)
            bench.disk.powerLoss(at: bench.now, &stream)
            if bench.text("/kept/a") == "x" { cameBack += 1 }
            #expect(bench.text("/synced/b") == nil)
        }
        // One half of 64, within four standard errors (4).
        #expect((16...48).contains(cameBack))
    }

    @Test func `rename into place without a sync can leave an empty file, with one never`() throws {
        var empty = 0
        for seed in 1...64 as ClosedRange<UInt64> {
            for isSynced in [false, true] {
                let bench = DiskBench()
                let process = bench.launch()
                let draft = try bench.open("/draft", process)
                try draft.write("content")
                if isSynced { try draft.sync(full: false) }
                try bench.disk.rename("/draft", to: "/final", by: process.client)
                try bench.disk.syncDirectory(of: "/final", by: process.client)
                var stream = RandomStream(key: seed)
                bench.disk.powerLoss(at: bench.now, &stream)
                let left = bench.text("/final")
                if isSynced {
                    #expect(left == "content")
                } else if left?.isEmpty == true {
                    empty += 1
                }
            }
        }
        // Dropped whole with 1/4, or torn (1/2) with its one sector not kept (1/3): 5/12 of 64 = 27.
        #expect((12...42).contains(empty))
    }

    @Test func `a torn write keeps or loses whole sectors of 512 bytes`() throws {
        var mixed = 0
        for seed in 1...64 as ClosedRange<UInt64> {
            let bench = DiskBench()
            let process = bench.launch()
            let file = try bench.open("/a", process)
            try file.write(String(repeating: "o", count: 4_096))
            try file.sync(full: false)
            try file.write(String(repeating: "n", count: 4_096))
            var stream = RandomStream(key: seed)
            bench.disk.powerLoss(at: bench.now, &stream)
            let bytes = try #require(bench.disk.contents(of: "/a"))
            let sectors = (0..<8).map { Set(bytes[$0 * 512..<$0 * 512 + 512]) }
            #expect(sectors.allSatisfy { $0.count == 1 })
            if Set(sectors).count == 2 { mixed += 1 }
        }
        #expect(mixed > 10)
    }

    @Test func `an open file outlives its name and then frees its blocks`() throws {
        let bench = DiskBench()
        let process = bench.launch()
        let file = try bench.open("/a", process)
        try file.write("hello")
        try bench.disk.remove("/a", syncDirectory: false, by: process.client)
        #expect(try file.size() == 5)
        #expect(bench.disk.usage.used == .kibibytes(4))
        file.close()
        #expect(bench.disk.usage.used == .zero)
        #expect(bench.disk.usage.peak == .kibibytes(4))
    }

    @Test func `the system writes old data out by itself where the profile says so`() throws {
        var profile = DiskProfile.ideal
        profile.writeback = .seconds(30)
        let bench = DiskBench(profile)
        let file = try bench.open("/a", bench.launch())
        try file.write("x")
        bench.now = .zero + .seconds(29)
        #expect(bench.safeText("/a") == nil)
        bench.now = .zero + .seconds(30)
        #expect(bench.safeText("/a") == "x")
    }

    @Test func `a device that lies keeps a sync's data only later`() throws {
        let bench = DiskBench(.lying)
        let file = try bench.open("/a", bench.launch())
        try file.write("x")
        try file.sync(full: true)
        #expect(bench.safeText("/a") == nil)
        bench.now = .zero + .seconds(3)
        #expect(bench.safeText("/a") == "x")
    }

    /// Ten syncs of ten files in turn: what is left is a beginning of that order, and one file
    /// between at most half done.
    @Test func `on apfs a plain sync orders and only a full one keeps`() throws {
        var profile = DiskProfile.apfs
        profile.writeback = nil
        var lengths: Set<Int> = []
        for seed in 1...40 as ClosedRange<UInt64> {
            let bench = DiskBench(profile)
            let process = bench.launch()
            for index in 0..<10 {
                let file = try bench.open("/\(index)", process)
                try file.write("x")
                try file.sync(full: index == 2)
            }
            bench.now = process.client.stamp()
            var stream = RandomStream(key: seed)
            bench.disk.powerLoss(at: bench.now, &stream)
            let kept = (0..<10).map { bench.text("/\($0)") == "x" }
            #expect(kept[0...2].allSatisfy { $0 }, "the full sync drained what came before it")
            let prefix = kept.prefix { $0 }.count
            #expect(kept[min(prefix + 1, 10)...].allSatisfy { !$0 }, "\(kept)")
            lengths.insert(prefix)
        }
        #expect(lengths.count > 4)
    }

    @Test func `a full device refuses a write whole and takes rewrites`() throws {
        let bench = DiskBench()
        let file = try bench.open("/a", bench.launch())
        try file.write(String(repeating: "a", count: 4_096))
        bench.disk.setFree(.kibibytes(4))
        #expect(throws: DiskError.noSpace) {
            try file.write(String(repeating: "b", count: 8_193), at: 4_096)
        }
        #expect(try file.size() == 4_096)
        try file.write(String(repeating: "c", count: 4_096), at: 4_096)
        try file.write("d")
        bench.disk.setFree(nil)
        try file.write(String(repeating: "b", count: 8_193), at: 8_192)
    }

    @Test func `a cache folder that is purged is gone, also after a power loss`() throws {
        let bench = DiskBench()
        let process = bench.launch()
        let cached = try bench.open("/cache/a", process)
        try cached.write("x")
        try cached.sync(full: false)
        try bench.disk.rename("/cache/a", to: "/cache/b", by: process.client)
        let kept = try bench.open("/data/a", process)
        try kept.write("y")
        try kept.sync(full: false)
        cached.close()
        #expect(bench.disk.purge(prefix: "/cache/") == 1)
        #expect(bench.disk.paths() == ["/data/a"])
        for seed in 1...8 as ClosedRange<UInt64> {
            var stream = RandomStream(key: seed)
            bench.disk.powerLoss(at: bench.now, &stream)
            #expect(bench.disk.paths() == ["/data/a"])
        }
    }

    @Test func `a purge counts files that are open, and frees nothing of them`() throws {
        let bench = DiskBench()
        let process = bench.launch()
        let open = try bench.open("/cache/a", process)
        try open.write("x")
        let used = bench.disk.usage.used
        #expect(bench.disk.purge(prefix: "/cache/") == 1)
        #expect(bench.disk.usage.used == used)
        #expect(bench.disk.paths() == [])
        #expect(bench.disk.purge(prefix: "/cache/") == 0)
        open.close()
    }

    @Test func `a restored phone has the files of its backup and nothing else`() throws {
        let bench = DiskBench()
        let process = bench.launch()
        let file = try bench.open("/data/a", process)
        try file.write("backed up")
        try bench.open("/cache/b", process).write("not wanted")
        let backup = bench.disk.snapshot(excluding: ["/cache/"])
        try file.write("later one")
        try bench.open("/data/c", process).write("later")
        bench.disk.restore(backup)
        #expect(process.client.isFenced)
        #expect(bench.disk.paths() == ["/data/a"])
        #expect(bench.text("/data/a") == "backed up")
        #expect(bench.safeText("/data/a") == "backed up")
        let other = DiskBench()
        other.disk.restore(backup)
        try other.open("/data/a", other.launch()).write("other")
        #expect(other.text("/data/a") == "otherd up")
        #expect(bench.text("/data/a") == "backed up")
    }

    @Test func `failures are answered by file and request for as long as they are in force`() throws
    {
        let bench = DiskBench()
        let process = bench.launch()
        let locked = try bench.open("/private/a", process)
        let free = try bench.open("/data/b", process)
        let id = bench.disk.inject(.locked(prefix: "/private/"))
        #expect(throws: DiskError.notPermitted) { try locked.write("x") }
        try free.write("x")
        bench.disk.withdrawInjection(id)
        try locked.write("x")
    }

    @Test func `a sync costs what the profile says, dirty bytes included`() throws {
        var profile = DiskProfile.ideal(syncing: .milliseconds(2))
        profile.flushBytesPerSecond = 1_000_000
        profile.writeLatency = .microseconds(10)
        let bench = DiskBench(profile)
        let process = bench.launch()
        let file = try bench.open("/a", process)
        try file.write(String(repeating: "x", count: 5_000))
        #expect(process.lag == .microseconds(10))
        // 2 ms and 5,000 B at 1 MB/s.
        try file.sync(full: false)
        #expect(process.lag == .microseconds(10) + .milliseconds(7))
        try file.sync(full: false)
        #expect(process.lag == .microseconds(10) + .milliseconds(9))
    }

    @Test func `a disk whose world is over keeps no bytes and answers nobody`() throws {
        let bench = DiskBench()
        let process = bench.launch()
        let file = try bench.open("/a", process)
        try file.write("x")
        var notes = 0
        bench.disk.onNote = { _ in notes += 1 }
        bench.disk.discard()
        #expect(throws: DiskError.fenced) { try file.write("y") }
        #expect(throws: DiskError.fenced) { _ = try file.size() }
        #expect(bench.text("/a") == nil)
        file.close()
        #expect(notes == 0)
    }

    @Test func `every preset is found by its name`() {
        for profile in DiskProfile.all { #expect(DiskProfile.named(profile.name) == profile) }
        #expect(DiskProfile.named("floppy") == nil)
    }
}
