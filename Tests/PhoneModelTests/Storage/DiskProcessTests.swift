import PhoneModel
import Quantities
import SimulationKernel
import Testing

/// Processes on one disk: death, locks, shared memory, and each other's local time.
@Suite struct DiskProcessTests {
    @Test func `a kill keeps the page cache and undoes what was stamped after it`() throws {
        let bench = DiskBench()
        let process = bench.launch()
        let file = try bench.open("/a", process)
        try file.write("one")
        process.lag = .milliseconds(5)
        try file.write("two", at: 3)
        process.lag = .milliseconds(10)
        try file.write("ONE")
        try file.sync(full: false)
        try bench.disk.rename("/a", to: "/b", by: process.client)
        try bench.open("/c", process).write("late")
        bench.disk.processDied(process.client, at: .zero + .milliseconds(7))
        #expect(bench.disk.paths() == ["/a"])
        #expect(bench.text("/a") == "onetwo")
        bench.now = .zero + .seconds(1)
        #expect(bench.safeText("/a") == nil, "the sync at 10 ms was undone too")
        #expect(bench.disk.usage.syncs == 0)
        #expect(bench.disk.usage.written == .bytes(6))
    }

    @Test func `a dead process's calls change nothing and say so`() throws {
        let bench = DiskBench()
        let process = bench.launch()
        let file = try bench.open("/a", process)
        try file.write("x")
        bench.disk.processDied(process.client, at: bench.now)
        #expect(throws: DiskError.fenced) { try file.write("y") }
        #expect(throws: DiskError.fenced) { try file.size() }
        #expect(throws: DiskError.fenced) { try file.sync(full: true) }
        #expect(throws: DiskError.fenced) { try file.lock(.shared) }
        #expect(throws: DiskError.fenced) { try file.region(0, size: 32_768, extend: true) }
        #expect(throws: DiskError.fenced) {
            try bench.disk.remove("/a", syncDirectory: true, by: process.client)
        }
        #expect(throws: DiskError.fenced) { try bench.disk.list(prefix: "/", by: process.client) }
        file.unlock(to: .none)
        file.close()
        #expect(bench.text("/a") == "x")
    }

    @Test func `a process can die between any two effects`() throws {
        let bench = DiskBench()
        var count = 0
        let process = bench.launch { kind, _ in
            if kind == .write { count += 1 }
            return count < 3
        }
        let file = try bench.open("/a", process)
        try file.write("1")
        try file.write("2", at: 1)
        #expect(throws: DiskError.fenced) { try file.write("3", at: 2) }
        #expect(process.client.isFenced)
        #expect(bench.text("/a") == "12")
    }

    @Test func `locks of a dead process are gone and those of a living one stay`() throws {
        let bench = DiskBench()
        let a = bench.launch()
        let b = bench.launch()
        let first = try bench.open("/a", a)
        let second = try bench.open("/a", b)
        #expect(try first.lock(.shared))
        #expect(try first.lock(.reserved))
        #expect(try second.lock(.shared))
        #expect(try !second.lock(.reserved))
        #expect(try second.isReserved())
        #expect(try !first.lock(.exclusive), "the other reads")
        let third = try bench.open("/a", bench.launch())
        #expect(try !third.lock(.shared), "pending lets nobody new in")
        #expect(bench.disk.locks(of: a.client).map(\.path) == ["/a"])
        #expect(bench.disk.locks(of: a.client).map(\.level) == [.pending])
        #expect(bench.disk.locks(of: a.client).allSatisfy { $0.isTransaction })
        bench.disk.processDied(a.client, at: bench.now)
        #expect(bench.disk.locks(of: a.client).isEmpty)
        #expect(try second.lock(.reserved))
        #expect(try third.lock(.shared))
        #expect(try !second.lock(.exclusive))
        third.unlock(to: .none)
        #expect(try second.lock(.exclusive))
    }

    @Test func `lock slots are shared or exclusive between handles`() throws {
        let bench = DiskBench()
        let first = try bench.open("/a", bench.launch())
        let second = try bench.open("/a", bench.launch())
        #expect(try first.lock(slots: 3..<4, exclusive: false))
        #expect(try second.lock(slots: 3..<4, exclusive: false))
        #expect(try !second.lock(slots: 2..<5, exclusive: true))
        first.unlock(slots: 3..<4, exclusive: false)
        #expect(try first.lock(slots: 0..<1, exclusive: true))
        #expect(try !second.lock(slots: 0..<1, exclusive: true))
        first.close()
        #expect(try second.lock(slots: 0..<1, exclusive: true))
    }

    @Test func `shared memory goes with its last living user and a new one starts with zeros`()
        throws
    {
        let bench = DiskBench()
        let a = bench.launch()
        let first = try bench.open("/a", a)
        let old = try #require(try first.region(0, size: 64, extend: true))
        old.storeBytes(of: 7, as: UInt8.self)
        let b = bench.launch()
        let second = try bench.open("/a", b)
        let seen = try second.region(0, size: 64, extend: false)
        #expect(seen == old)
        bench.disk.processDied(a.client, at: bench.now)
        bench.disk.processDied(b.client, at: bench.now)
        let third = try bench.open("/a", bench.launch())
        #expect(try third.region(0, size: 64, extend: false) == nil)
        let new = try #require(try third.region(0, size: 64, extend: true))
        #expect(new.load(as: UInt8.self) == 0)
        // The dead may still write: into their own memory.
        old.storeBytes(of: 9, as: UInt8.self)
        #expect(new.load(as: UInt8.self) == 0)
    }

    @Test func `a lock given back later in another's time is still held now`() throws {
        let bench = DiskBench()
        let a = bench.launch()
        let b = bench.launch()
        let first = try bench.open("/a", a)
        let second = try bench.open("/a", b)
        #expect(try first.lock(.shared))
        #expect(try first.lock(.reserved))
        a.lag = .milliseconds(20)
        first.unlock(to: .none)
        #expect(try second.lock(.shared))
        #expect(try !second.lock(.reserved))
        #expect(try second.isReserved())
        b.lag = .milliseconds(20)
        #expect(try second.lock(.reserved))
    }

    @Test func `a reader of a plain file waits for what it reads to have been written`() throws {
        let bench = DiskBench()
        let a = bench.launch()
        let b = bench.launch()
        let first = try bench.open("/a", a)
        let second = try bench.open("/a", b)
        a.lag = .milliseconds(20)
        try first.write("x")
        #expect(try second.size() == 1)
        #expect(b.lag == .milliseconds(20))
        // Seen, so a kill at 5 ms can no longer take it back.
        bench.disk.processDied(a.client, at: .zero + .milliseconds(5))
        #expect(bench.text("/a") == "x")
    }

    @Test func `every operation is noted with its file, place and length`() throws {
        let bench = DiskBench()
        var notes: [String] = []
        bench.disk.onNote = {
            notes.append("\($0.effect) \($0.path) #\($0.file) \($0.offset)+\($0.length)")
        }
        let process = bench.launch()
        let file = try bench.open("/a", process)
        try file.write("hello", at: 3)
        try file.truncate(to: 4)
        try file.sync(full: false)
        try bench.disk.rename("/a", to: "/b", by: process.client)
        try bench.disk.remove("/b", syncDirectory: true, by: process.client)
        #expect(
            notes == [
                "create /a #1 0+0", "write /a #1 3+5", "truncate /a #1 4+0", "sync /a #1 0+0",
                "rename /b #1 0+0", "remove /b #1 0+0", "syncDirectory  #0 0+0",
            ]
        )
    }

    @Test func `after a shutdown in order everything is safe`() throws {
        let bench = DiskBench()
        let process = bench.launch()
        try bench.open("/a", process).write("x")
        bench.disk.shutDown(at: bench.now)
        #expect(process.client.isFenced)
        #expect(bench.safeText("/a") == "x")
    }
}
