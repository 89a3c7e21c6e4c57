import Lab
import PhoneModel
import Quantities
import SQLiteStore
import SimulationKernel
import Testing

/// A commit that a kill left written and not synced: the next launch reads it, a loss of power may take it.
@Suite struct RecoveredCommitTests {
    static let path = "/data/outbox.sqlite"

    /// Of 40 runs, in how many the second launch found the row, and in how many it was gone after the power was.
    private func losses(settling: Bool) throws -> (found: Int, lost: Int) {
        var found = 0
        var lost = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            let rig = DiskRig(.ideal, seed: seed)
            defer { rig.end() }
            let first = rig.launch()
            let opened = try first.connect(Self.path)
            try opened.executeScript("CREATE TABLE o(id INTEGER PRIMARY KEY, p BLOB)")
            // The fourth call of the insert is the sync: BEGIN's lock is none, then frames are written.
            let writes = try effectsOfInsert(opened, first)
            first.die(in: writes)
            _ = try? opened.execute("INSERT INTO o VALUES (2, randomblob(700))")
            #expect(first.isDead)
            rig.disk.processDied(first.client, at: first.time)
            first.settleLag()

            let second = rig.launch()
            let again = try second.connect(Self.path)
            if settling { try again.settleRecovered() }
            guard try row(2, in: again) else { continue }
            found += 1
            var chance = RandomStream(key: seed &* 7_919)
            rig.disk.processDied(second.client, at: second.time)
            second.settleLag()
            rig.disk.powerLoss(at: rig.now, &chance)

            let third = try rig.launch().connect(Self.path)
            #expect(try row(1, in: third), "an acknowledged row is gone")
            if try !row(2, in: third) { lost += 1 }
        }
        return (found, lost)
    }

    /// Calls to the disk of an insert of the same size, the last of which is the WAL's sync.
    private func effectsOfInsert(_ connection: SQLiteConnection, _ process: RigProcess) throws
        -> Int
    {
        let before = process.effects
        try connection.execute("INSERT INTO o VALUES (1, randomblob(700))")
        return process.effects - before
    }

    private func row(_ number: Int, in connection: SQLiteConnection) throws -> Bool {
        try connection.statement("SELECT 1 FROM o WHERE id = ?").first(number) { _ in true } == true
    }

    @Test func `what the next launch reads may be gone after a loss of power`() throws {
        let (found, lost) = try losses(settling: false)
        // Dead at the sync: the frames are in the page cache, which a kill does not touch.
        #expect(found == 40)
        #expect(lost >= 10, "\(lost)")
    }

    @Test func `what was settled before it was read is there for good`() throws {
        let (found, lost) = try losses(settling: true)
        #expect(found == 40)
        #expect(lost == 0)
    }
}
