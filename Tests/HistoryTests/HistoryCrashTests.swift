import Budgets
import Foundation
import Measurements
import SQLiteStore
import Synchronization
import Testing

@testable import History

@Suite struct HistoryCrashTests {
    let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    private func dyingVFS(_ store: DyingStore, _ name: String) throws -> SQLiteVFS {
        let vfs = SQLiteVFS(
            name: name,
            store: store,
            host: SQLiteVFSHost(
                randomness: { $0.initializeMemory(as: UInt8.self, repeating: 7) },
                sleep: { _ in },
                wallMilliseconds: { 0 }
            )
        )
        try vfs.register()
        return vfs
    }

    /// What is left in a file after its writer died, read by a living process.
    private func survivors(_ path: String) throws -> (runs: [String], readings: [Int64]) {
        let archive = try HistoryArchive(path: path)
        #expect(try archive.connection.integrityProblems().isEmpty)
        let readings = try archive.connection.statement(
            """
            SELECT (SELECT count(*) FROM readings WHERE run_id = id)
                + (SELECT count(*) FROM seeds WHERE run_id = id)
                + (SELECT count(*) FROM summaries WHERE run_id = id)
                + (SELECT count(*) FROM budgets WHERE run_id = id)
                + (SELECT count(*) FROM breaches WHERE run_id = id) FROM runs ORDER BY id
            """
        ).all { $0.integer(at: 0) }
        return (try archive.runs().map(\.context.commit), readings)
    }

    @Test func `a kill at any operation leaves the whole run or none of it`() throws {
        // Nine readings, three seeds, two summaries, one budget line, one breach.
        let whole: Int64 = 9 + 3 + 2 + 1 + 1
        var outcomes: Set<Int> = []
        var finished = false
        var operation = 1
        while !finished {
            let path = folder.path("kill\(operation).sqlite")
            try HistoryArchive(path: path).add(
                exampleRun(joules: 1, breaks: true),
                under: context("first")
            )
            let store = DyingStore(dyingAt: operation)
            let vfs = try dyingVFS(store, "dying-add-\(operation)")
            do {
                let archive = try HistoryArchive(path: path, vfs: vfs.name)
                try archive.add(exampleRun(joules: 2, breaks: true), under: context("second"))
                finished = !store.isDead
            } catch {
                #expect(store.isDead, "only death stops it: \(error)")
            }
            vfs.unregister()
            let left = try survivors(path)
            outcomes.insert(left.runs.count)
            #expect(left.runs == ["first"] || left.runs == ["first", "second"])
            #expect(left.readings.allSatisfy { $0 == whole })
            if finished { #expect(left.runs.count == 2) }
            operation += 1
        }
        // Some deaths came before the commit and some after, or the test would show nothing.
        #expect(outcomes == [1, 2])
        #expect(operation > 10)
    }

    @Test func `a kill while a file is made leaves one that can be made`() throws {
        var finished = false
        var operation = 1
        while !finished {
            let path = folder.path("new\(operation).sqlite")
            let store = DyingStore(dyingAt: operation)
            let vfs = try dyingVFS(store, "dying-new-\(operation)")
            do {
                _ = try HistoryArchive(path: path, vfs: vfs.name)
                finished = !store.isDead
            } catch {
                #expect(store.isDead, "only death stops it: \(error)")
            }
            vfs.unregister()
            let archive = try HistoryArchive(path: path)
            try archive.add(exampleRun(joules: 1), under: context("after"))
            #expect(try archive.runs().count == 1)
            operation += 1
        }
        #expect(operation > 5)
    }

    @Test func `an archive that another process makes during the opening is none of a stranger`()
        throws
    {
        var hasMeddled = true
        var lock = 1
        while hasMeddled {
            let path = folder.path("made\(lock).sqlite")
            let store = DyingStore(meddlingAtLock: lock) {
                _ = try? HistoryArchive(path: path)
            }
            let vfs = try dyingVFS(store, "meddling-\(lock)")
            do {
                let archive = try HistoryArchive(path: path, vfs: vfs.name)
                try archive.add(exampleRun(joules: 1), under: context("mine"))
            }
            hasMeddled = store.hasMeddled
            vfs.unregister()
            #expect(try survivors(path).runs == ["mine"])
            lock += 1
        }
        // Before its first look, between looks, and before it would have made the archive itself.
        #expect(lock > 3)
    }

    @Test func `writers at once wait for each other, from the making of the file on`() async throws
    {
        let path = folder.path("shared.sqlite")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let archive = try HistoryArchive(path: path)
                    for number in 0..<10 {
                        try archive.add(
                            exampleRun(joules: Double(number)),
                            under: context("w\(writer)")
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
        let left = try survivors(path)
        #expect(left.runs.count == 40)
        for writer in 0..<4 {
            #expect(left.runs.filter { $0 == "w\(writer)" }.count == 10)
        }
        // Nine readings, three seeds, two summaries and one budget line.
        #expect(left.readings.allSatisfy { $0 == 15 })
    }

    @Test func `a writer that waits too long says so`() throws {
        let path = folder.path("held.sqlite")
        let holder = try HistoryArchive(path: path)
        let other = try HistoryArchive(path: path, patience: .zero)
        try holder.connection.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: HistoryError.self) {
            try other.add(exampleRun(joules: 1), under: context("x"))
        }
        #expect(error?.description.contains("being written by others") == true)
        try holder.connection.execute("ROLLBACK")
        try other.add(exampleRun(joules: 1), under: context("x"))
        #expect(try holder.runs().count == 1)
    }
}
