import PhoneModel
import Quantities
import SQLiteStore
import Testing

/// The same run writes the same bytes: WAL salts, `randomblob` and times come from the seed.
@Suite struct SQLiteDeterminismTests {
    /// In a process of its own, because SQLite's random state belongs to the whole process.
    @Test func `the same seed gives the same bytes and another seed others`() async {
        await #expect(processExitsWith: .success) {
            let first = try SQLiteDeterminismTests.run(seed: 7)
            let again = try SQLiteDeterminismTests.run(seed: 7)
            let other = try SQLiteDeterminismTests.run(seed: 8)
            precondition(first.count > 100_000, "\(first.count) bytes are no test")
            precondition(first == again, "the same seed gave other bytes")
            precondition(first != other, "another seed gave the same bytes")
        }
    }

    /// The twin without the reset: SQLite goes on with the state that the first run left behind.
    @Test func `without the reset the second run differs`() async {
        await #expect(processExitsWith: .success) {
            let first = try SQLiteDeterminismTests.run(seed: 7)
            let again = try SQLiteDeterminismTests.run(seed: 7, isReset: false)
            precondition(first != again, "the reset does nothing: the test above is blind")
        }
    }

    private static func run(seed: UInt64, isReset: Bool = true) throws -> [UInt8] {
        let rig = DiskRig(.f2fsOnUFS, seed: seed)
        defer { rig.end() }
        let process = rig.launch()
        let vfs = try process.sqlite(asDefault: true)
        if isReset { SQLiteVFS.resetGlobalRandomness() }
        let connection = try SQLiteConnection(path: "/data/a.sqlite", vfs: vfs)
        try connection.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY, p BLOB, at TEXT)")
        for id in 1...40 {
            try connection.execute(
                "INSERT INTO t VALUES (?, randomblob(300), strftime('%s %f', 'now'))",
                id
            )
            process.settleLag()
        }
        return rig.disk.paths().flatMap { rig.disk.contents(of: $0) ?? [] }
    }
}
