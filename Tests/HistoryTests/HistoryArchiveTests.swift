import Budgets
import Foundation
import Measurements
import Quantities
import SQLiteStore
import Testing

@testable import History

@Suite struct HistoryArchiveTests {
    let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    @Test func `runs come back in order, with what they were archived under`() throws {
        let archive = try HistoryArchive(path: folder.path("h.sqlite"))
        try archive.add(exampleRun(joules: 10), under: context("aaa"))
        try archive.add(exampleRun(joules: 20, breaks: true), under: context("bbb"))
        try archive.add(exampleRun(joules: 30, profile: "elevator"), under: context("bbb"))
        let runs = try archive.runs()
        #expect(runs.map(\.run) == [1, 2, 3])
        #expect(runs.map(\.profile) == ["commute", "commute", "elevator"])
        #expect(runs.map(\.context.commit) == ["aaa", "bbb", "bbb"])
        #expect(runs.map(\.seeds) == [3, 3, 3])
        #expect(runs.map(\.verdict) == ["pass", "fail", "pass"])
        #expect(runs.map(\.exitCode) == [0, 3, 0])
        #expect(runs[1].reasons.count == 1)
        #expect(runs[0].context == context("aaa"))
        #expect(try archive.runs(of: "commute").map(\.run) == [1, 2])
        #expect(try archive.runs(last: 2).map(\.run) == [2, 3])
    }

    @Test func `the verdict of a gate stands for that of its run, which stays in the file`() throws
    {
        let archive = try HistoryArchive(path: folder.path("h.sqlite"))
        let gate = RunVerdict(
            outcome: .nothingTested,
            verdict: .undecided,
            reasons: ["there is no baseline at b.json"]
        )
        try archive.add(exampleRun(joules: 10), gate: gate, under: context("aaa"))
        let runs = try archive.runs()
        #expect(runs.map(\.verdict) == ["not-decided"])
        #expect(runs.map(\.exitCode) == [5])
        #expect(runs.map(\.reasons) == [["there is no baseline at b.json"]])
        let energy = MetricName("radio.energy_j")
        let points = try archive.series(of: energy, profile: "commute")
        #expect(points.map(\.verdict) == ["not-decided"])
        #expect(HistoryTable(points, of: energy).rows[0].last == "not decided")
        let own = try archive.connection.statement("SELECT verdict, exit_code FROM runs").first {
            "\($0.text(at: 0)) \($0.integer(at: 1))"
        }
        #expect(own == "pass 0")
    }

    @Test func `a metric over commits is its statistics, oldest first`() throws {
        let archive = try HistoryArchive(path: folder.path("h.sqlite"))
        for (joules, commit) in [(10.0, "aaa"), (20, "bbb"), (15, "ccc")] {
            try archive.add(exampleRun(joules: joules), under: context(commit))
        }
        let energy = MetricName("radio.energy_j")
        let points = try archive.series(of: energy, profile: "commute")
        // Three seeds give joules + 1, + 2 and + 3: p50 is the second, p95 and max the third.
        #expect(points.map(\.commit) == ["aaa", "bbb", "ccc"])
        #expect(points.map { $0[.p50] } == [12, 22, 17])
        #expect(points.map { $0[.p95] } == [13, 23, 18])
        #expect(points.map { $0[.min] } == [11, 21, 16])
        #expect(points.map { $0[.mean] } == [12, 22, 17])
        #expect(points.map(\.count) == [3, 3, 3])
        #expect(try archive.series(of: energy, profile: "commute", last: 1).map(\.run) == [3])
        #expect(try archive.series(of: energy, profile: "elevator").isEmpty)
        // Two samples a seed: 0.5 three times, and 1, 2, 3.
        let waits = try archive.series(
            of: MetricName("outbox.promise_to_ack_s"),
            profile: "commute"
        )
        #expect(waits.map(\.count) == [6, 6, 6])
        #expect(waits.first?[.p50] == 0.5)
        #expect(
            try archive.metrics(of: "commute").map(\.text)
                == ["radio.energy_j", "outbox.promise_to_ack_s"]
        )
    }

    @Test func `the file can be asked in plain SQL, as its schema says`() throws {
        let path = folder.path("h.sqlite")
        try HistoryArchive(path: path).add(
            exampleRun(joules: 98, breaks: true),
            under: context("aaa")
        )
        let plain = try SQLiteConnection(
            path: path,
            configuration: SQLiteConfiguration(journalMode: nil, isReadOnly: true)
        )
        let documented = try plain.statement(
            """
            SELECT commit_id, p95 FROM runs JOIN summaries ON run_id = id
            WHERE profile = 'commute' AND metric = 'radio.energy_j' ORDER BY id
            """
        ).all { "\($0.text(at: 0)) \($0.double(at: 1))" }
        #expect(documented == ["aaa 101.0"])
        let budget = try plain.statement("SELECT rule, limit_value, value, verdict FROM budgets")
            .all { "\($0.text(at: 0)) \($0.double(at: 1)) \($0.double(at: 2)) \($0.text(at: 3))" }
        #expect(budget == ["p95 <= 100J 100.0 101.0 fail"])
        let breach = try plain.statement("SELECT guarantee, seed, at_ns, subject FROM breaches")
            .all {
                "\($0.text(at: 0)) \($0.integer(at: 1)) \($0.integer(at: 2)) \($0.text(at: 3))"
            }
        #expect(breach == ["outbox.exactly_once 2 12000000000 m7"])
        let readings = try plain.statement("SELECT count(*) FROM readings").first {
            $0.integer(at: 0)
        }
        #expect(readings == 9)
    }

    @Test func `nothing stays beside the file`() throws {
        let path = folder.path("h.sqlite")
        do {
            let archive = try HistoryArchive(path: path)
            try archive.add(exampleRun(joules: 1), under: context("aaa"))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names == ["h.sqlite"])
    }

    @Test func `a database of something else is refused and left alone`() throws {
        let path = folder.path("other.sqlite")
        let other = try SQLiteConnection(
            path: path,
            configuration: SQLiteConfiguration(journalMode: nil)
        )
        try other.executeScript("CREATE TABLE notes (text TEXT)")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: HistoryError.foreignFile(path: path)) { try HistoryArchive(path: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `a file that is no database is refused and left alone`() throws {
        let path = folder.path("notes.txt")
        let text = Data(String(repeating: "not a database. ", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: path))
        #expect(throws: HistoryError.foreignFile(path: path)) { try HistoryArchive(path: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
    }

    @Test func `a folder that is not there is told with its path`() throws {
        let path = folder.path("missing/h.sqlite")
        let error = #expect(throws: HistoryError.self) { try HistoryArchive(path: path) }
        #expect(error?.description.contains(path) == true)
    }

    @Test func `seeds beyond the signed range come back by their bits`() throws {
        let seed = SeedResult(
            seed: .max,
            mode: "virtual",
            metrics: [MetricReading(MetricName("radio.energy_j"), 1)],
            fingerprint: "f",
            virtualEnd: .zero
        )
        let run = ProfileRun(profile: "x", mode: "virtual", radios: [], seeds: [seed], rules: [])
        let archive = try HistoryArchive(path: folder.path("h.sqlite"))
        try archive.add(run, under: context("a"))
        let stored = try archive.connection.statement("SELECT seed FROM seeds").first {
            UInt64(bitPattern: $0.integer(at: 0))
        }
        #expect(stored == .max)
    }
}

@Suite struct HistoryTableTests {
    private func point(_ run: Int64, _ p50: Double, _ p95: Double) -> HistoryPoint {
        HistoryPoint(
            run: run,
            commit: "0123456789abcdef",
            recordedAt: "2026-11-30",
            verdict: "pass",
            count: 20,
            values: [0, 0, p50, 0, p95, 0, 0]
        )
    }

    @Test func `changes are against the run before, in tenths of a percent`() {
        let table = HistoryTable(
            [point(1, 100, 200), point(2, 103, 200), point(3, 0, 150), point(4, 5, 150)],
            of: MetricName("radio.energy_j")
        )
        // 103/100 is +3 %, 150/200 is -25 %; there is no change in percent from nothing.
        #expect(table.rows.map { $0[5] } == ["", "+3.0%", "-100.0%", ""])
        #expect(table.rows.map { $0[7] } == ["", "0%", "-25.0%", "0%"])
        #expect(table.rows[0][2] == "0123456789ab")
    }

    @Test func `columns are aligned and lines have no trailing space`() {
        let table = HistoryTable([point(9, 1, 2), point(10, 1, 2)], of: MetricName("x.count"))
        let lines = table.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
        let starts = lines.map { line in
            line.firstRange(of: "2026").map {
                line.distance(from: line.startIndex, to: $0.lowerBound)
            }
        }
        #expect(starts[1] == starts[2])
    }
}
