import ClientModules
import Foundation
import LiveClient
import SQLiteStore
import Testing

@Suite struct LivePortsTests {
    @Test func `files are written, read, cut, renamed, listed and removed`() throws {
        let phone = try TestPhone()
        let store = PosixFileStore(root: phone.folder)
        let file = try store.open("/a/b/one", create: true)
        try [UInt8](0..<100).withUnsafeBytes { try file.write($0, at: 10) }
        #expect(try file.size() == 110)
        try file.truncate(to: 60)
        try file.sync(full: true)
        var bytes = [UInt8](repeating: 9, count: 80)
        let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        #expect(count == 60)
        #expect(bytes[9...11] == [0, 0, 1])
        file.close()
        let before = try #require(try store.metadata(of: "/a/b/one"))
        #expect(before.size == 60)
        try store.rename("/a/b/one", to: "/a/two")
        try store.syncDirectory(of: "/a/two")
        #expect(try store.exists("/a/b/one") == false)
        #expect(try store.metadata(of: "/a/two")?.identity == before.identity)
        _ = try store.open("/a/three", create: true)
        #expect(try store.list(prefix: "/a/t") == ["/a/three", "/a/two"])
        try store.remove("/a/two", syncDirectory: true)
        #expect(try store.metadata(of: "/a/two") == nil)
        #expect(throws: FileStoreError.notFound(path: "/a/two")) {
            _ = try store.open("/a/two", create: false)
        }
        #expect(throws: FileStoreError.notFound(path: "/a/two")) {
            try store.remove("/a/two", syncDirectory: false)
        }
    }

    // sqlite.org/lockingv3: readers share; one may be about to write; a writer that waits lets no new
    // reader in; a writer is alone.
    @Test func `locks of two handles follow SQLite's rules`() throws {
        let phone = try TestPhone()
        let store = PosixFileStore(root: phone.folder)
        let first = try store.open("/lock", create: true)
        let second = try store.open("/lock", create: false)
        #expect(try first.lock(.shared))
        #expect(try second.lock(.shared))
        #expect(try first.lock(.reserved))
        #expect(try second.isReserved())
        #expect(try second.lock(.reserved) == false)
        #expect(try first.lock(.exclusive) == false)
        // It holds pending now: no new reader, but the old one may stay and leave.
        second.unlock(to: .none)
        #expect(try second.lock(.shared) == false)
        #expect(try first.lock(.exclusive))
        first.unlock(to: .shared)
        #expect(try second.lock(.shared))
        #expect(try second.isReserved() == false)
        first.close()
        #expect(try second.lock(.exclusive))
    }

    @Test func `the clock never goes back and names its boot`() async throws {
        let clock = LiveClock()
        let first = clock.now
        try await clock.sleep(until: first)
        #expect(clock.now >= first)
        #expect(!clock.bootIdentifier.isEmpty)
        #expect(LiveClock().bootIdentifier == clock.bootIdentifier)
    }

    @Test func `signals and paths reach everyone who listens, newest first`() async throws {
        let signals = LiveSignals()
        let path = LivePathMonitor()
        var phases = signals.phases().makeAsyncIterator()
        #expect(await phases.next() == .foreground)
        signals.phaseChanged(to: .background)
        #expect(await phases.next() == .background)
        var pressure = signals.memoryPressure().makeAsyncIterator()
        signals.memoryPressureChanged(to: .warning)
        signals.memoryPressureChanged(to: .critical)
        #expect(await pressure.next() == .critical)
        let none = NetworkPath(isSatisfied: false)
        path.pathChanged(to: none)
        var paths = path.changes().makeAsyncIterator()
        #expect(await paths.next() == none)
        #expect(path.current == none)
    }

    @Test func `the meter adds up what is held`() {
        let meter = LiveMemoryMeter()
        meter.declare(100, holder: "b")
        meter.declare(5, holder: "a")
        meter.declare(40, holder: "b")
        #expect(meter.total == 45)
        #expect(meter.byHolder.map(\.holder) == ["a", "b"])
    }

    @Test func `identifiers are of version 4 and differ`() {
        let random = LiveRandom()
        let names = (0..<100).map { _ in random.identifier() }
        #expect(Set(names).count == 100)
        for name in names {
            let parts = name.split(separator: "-").map(String.init)
            #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
            #expect(parts[2].first == "4")
            #expect(["8", "9", "a", "b"].contains(parts[3].first.map(String.init)))
            #expect(UUID(uuidString: name) != nil)
        }
    }
}
