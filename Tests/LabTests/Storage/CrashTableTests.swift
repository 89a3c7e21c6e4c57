import Foundation
import PhoneModel
import Quantities
import SQLiteStore
import SimulationKernel
import Testing

/// What SQLite's journal modes are worth when a process or a phone dies at a random call.
///
/// Forty commits of one row of 700 bytes, checkpoint at 8 pages, death at a random one of the first
/// 400 calls. Expected shares are those of an independent C program over its own VFS (research
/// notes, 4.7; 1,000 crashes a cell); how many calls a commit makes differs a little between the
/// two, so shares are compared within a range and zeros exactly. `ONEBAR_CRASHES=1000` runs the
/// full number; the ranges hold for the default of 60 at four standard errors, and a loss in a
/// twentieth of the runs would show in 19 of 20 test runs where none is allowed.
@Suite struct CrashTableTests {
    enum Death { case kill, power }

    struct Outcome {
        var runs = 0
        var runsThatLost = 0
        var rowsLost = 0
        var worstLoss = 0
        var corrupt = 0

        var lostShare: Double { Double(runsThatLost) / Double(runs) }
        var corruptShare: Double { Double(corrupt) / Double(runs) }
    }

    static let runs =
        ProcessInfo.processInfo.environment["ONEBAR_CRASHES"].flatMap { Int($0) } ?? 60

    static let printsTable = ProcessInfo.processInfo.environment["ONEBAR_CRASHES"] != nil

    @Test(arguments: SQLiteConfiguration.Synchronous.allCases)
    func `a kill loses no acknowledged row in any mode`(
        synchronous: SQLiteConfiguration.Synchronous
    ) throws {
        for mode in [SQLiteConfiguration.JournalMode.wal, .delete] {
            let outcome = try crash(mode, synchronous, .kill)
            #expect(outcome.runsThatLost == 0, "\(mode) \(synchronous)")
            #expect(outcome.corrupt == 0, "\(mode) \(synchronous)")
        }
    }

    @Test func `WAL NORMAL loses acknowledged rows at a power loss and never corrupts`() throws {
        let outcome = try crash(.wal, .normal, .power)
        #expect(outcome.corrupt == 0)
        #expect(outcome.lostShare > 0.25)
    }

    @Test func `WAL FULL loses nothing at a power loss`() throws {
        let outcome = try crash(.wal, .full, .power)
        #expect(outcome.corrupt == 0)
        #expect(outcome.runsThatLost == 0)
    }

    @Test func `DELETE FULL loses the last row in about a third of power losses`() throws {
        let outcome = try crash(.delete, .full, .power)
        #expect(outcome.corrupt == 0)
        #expect((0.06...0.55).contains(outcome.lostShare))
        #expect(outcome.worstLoss == 1)
    }

    @Test func `DELETE NORMAL loses no more than the last row at a power loss`() throws {
        let outcome = try crash(.delete, .normal, .power)
        #expect(outcome.corrupt == 0)
        #expect((0.06...0.6).contains(outcome.lostShare))
        #expect(outcome.worstLoss == 1)
    }

    @Test func `DELETE EXTRA loses nothing at a power loss`() throws {
        let outcome = try crash(.delete, .extra, .power)
        #expect(outcome.corrupt == 0)
        #expect(outcome.runsThatLost == 0)
    }

    @Test func `WAL OFF corrupts at most power losses`() throws {
        let outcome = try crash(.wal, .off, .power)
        #expect(outcome.corruptShare > 0.55)
    }

    @Test func `torn sectors of noise hurt neither WAL FULL nor DELETE EXTRA`() throws {
        var noisy = DiskProfile.ideal
        noisy.tearsIntoGarbage = true
        for (mode, synchronous) in [
            (SQLiteConfiguration.JournalMode.wal, SQLiteConfiguration.Synchronous.full),
            (.delete, .extra),
        ] {
            let outcome = try crash(mode, synchronous, .power, on: noisy)
            #expect(outcome.corrupt == 0)
            #expect(outcome.runsThatLost == 0)
        }
    }

    @Test func `on Apple's file system only a full sync keeps acknowledged rows`() throws {
        let plain = try crash(.wal, .full, .power, on: .apfs)
        #expect(plain.corrupt == 0, "a plain sync still orders")
        #expect(plain.lostShare > 0.4)
        let full = try crash(.wal, .full, .power, on: .apfs, fullSync: true)
        #expect(full.corrupt == 0)
        #expect(full.runsThatLost == 0)
    }

    @Test func `a lying device loses what WAL FULL had promised`() throws {
        let outcome = try crash(.wal, .full, .power, on: .lying)
        #expect(outcome.runsThatLost + outcome.corrupt > 0)
    }

    private func crash(
        _ mode: SQLiteConfiguration.JournalMode,
        _ synchronous: SQLiteConfiguration.Synchronous,
        _ death: Death,
        on profile: DiskProfile = .ideal,
        fullSync: Bool = false
    ) throws -> Outcome {
        let configuration = SQLiteConfiguration(
            journalMode: mode,
            synchronous: synchronous,
            usesFullSync: fullSync,
            checkpointPages: 8
        )
        var outcome = Outcome()
        for run in 1...Self.runs {
            var chance = RandomStream(key: UInt64(run) &* 7_919)
            let rig = DiskRig(profile, seed: UInt64(run))
            defer { rig.end() }
            let setup = rig.launch()
            let first = try setup.connect("/data/outbox.sqlite", configuration)
            try first.executeScript("CREATE TABLE o(id INTEGER PRIMARY KEY, p BLOB)")
            first.close()
            setup.settleLag()
            rig.disk.shutDown(at: rig.now)

            let process = rig.launch()
            let acknowledged = insert(
                in: process,
                configuration,
                dyingAt: 1 + Int(chance.below(400))
            )
            if !process.isDead { rig.disk.processDied(process.client, at: process.time) }
            process.settleLag()
            if death == .power { rig.disk.powerLoss(at: rig.now, &chance) }
            try recover(rig, acknowledged, &outcome)
        }
        if Self.printsTable {
            let name = "\(mode.rawValue)/\(synchronous.rawValue)"
            print(
                "\(profile.name) \(name) \(death): \(outcome.runs) runs,",
                "\(outcome.runsThatLost) lost \(outcome.rowsLost) rows,",
                "\(outcome.corrupt) corrupt"
            )
        }
        return outcome
    }

    private func insert(
        in process: RigProcess,
        _ configuration: SQLiteConfiguration,
        dyingAt death: Int
    ) -> Int {
        var acknowledged = 0
        guard let connection = try? process.connect("/data/outbox.sqlite", configuration) else {
            return 0
        }
        process.die(in: death)
        for row in 1...40 {
            do {
                try connection.execute("INSERT INTO o VALUES (?, randomblob(700))", row)
            } catch {
                break
            }
            // A call that died inside may still have returned: nobody was there to hear it.
            guard !process.isDead else { break }
            acknowledged = row
            process.settleLag()
        }
        return acknowledged
    }

    private func recover(_ rig: DiskRig, _ acknowledged: Int, _ outcome: inout Outcome) throws {
        outcome.runs += 1
        let again = rig.launch()
        var kept: Int?
        do {
            // Keeps the file's own mode: opening must not need to change anything.
            let connection = try again.connect(
                "/data/outbox.sqlite",
                SQLiteConfiguration(journalMode: nil)
            )
            if try connection.integrityProblems().isEmpty {
                kept = try connection.statement("SELECT count(*) FROM o").first {
                    Int($0.integer(at: 0))
                }
            }
        } catch is SQLiteError {
            kept = nil
        }
        guard let kept else {
            outcome.corrupt += 1
            return
        }
        guard kept < acknowledged else { return }
        outcome.runsThatLost += 1
        outcome.rowsLost += acknowledged - kept
        outcome.worstLoss = max(outcome.worstLoss, acknowledged - kept)
    }
}
