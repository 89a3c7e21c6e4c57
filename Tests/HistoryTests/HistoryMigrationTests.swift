import Budgets
import Measurements
import SQLiteStore
import Testing

@testable import History

@Suite struct HistoryMigrationTests {
    let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    /// A file as the Onebar of `version` left it, with one run in it.
    private func oldFile(version: Int) throws -> String {
        let path = folder.path("v\(version).sqlite")
        let connection = try SQLiteConnection(
            path: path,
            configuration: SQLiteConfiguration(journalMode: nil)
        )
        try HistoryArchive.migrate(connection, path: path, to: version)
        try connection.executeScript(
            """
            INSERT INTO runs (profile, commit_id, recorded_at, tool_version, mode, fingerprint,
                verdict, exit_code, reasons)
            VALUES ('commute', 'old', '2026-01-01T00:00:00Z', '0.0.1', 'virtual', 'f', 'pass', 0, '');
            INSERT INTO seeds VALUES (1, 7, 'f', 1000);
            INSERT INTO summaries VALUES (1, 'radio.energy_j', 'J', 1, 5, 5, 5, 5, 5, 5, 5);
            """
        )
        return path
    }

    private func schema(of path: String) throws -> [String] {
        let connection = try SQLiteConnection(
            path: path,
            configuration: SQLiteConfiguration(journalMode: nil)
        )
        return try connection.statement(
            "SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name"
        ).all { $0.text(at: 0) }
    }

    @Test(arguments: 1..<HistorySchema.migrations.count)
    func `a file of every older version is brought up and keeps its runs`(version: Int) throws {
        let path = try oldFile(version: version)
        let archive = try HistoryArchive(path: path)
        #expect(try archive.connection.userVersion() == HistorySchema.migrations.count)
        #expect(try archive.runs().map(\.context.commit) == ["old"])
        #expect(try archive.runs().map(\.context.branch) == [""])
        try archive.add(exampleRun(joules: 10), under: context("new"))
        let points = try archive.series(of: MetricName("radio.energy_j"), profile: "commute")
        #expect(points.map { $0[.p50] } == [5, 12])
        // What is migrated is what is made new.
        let fresh = folder.path("fresh.sqlite")
        _ = try HistoryArchive(path: fresh)
        #expect(try schema(of: path) == schema(of: fresh))
    }

    @Test func `opening again changes nothing`() throws {
        let path = folder.path("h.sqlite")
        _ = try HistoryArchive(path: path)
        let before = try schema(of: path)
        _ = try HistoryArchive(path: path)
        #expect(try schema(of: path) == before)
    }

    @Test func `a file of a later version is refused with a remedy`() throws {
        let path = folder.path("h.sqlite")
        let known = HistorySchema.migrations.count
        do {
            let archive = try HistoryArchive(path: path)
            try archive.connection.setUserVersion(Int32(known + 1))
        }
        let error = #expect(throws: HistoryError.self) { try HistoryArchive(path: path) }
        #expect(error == .newerFile(path: path, version: known + 1, known: known))
        #expect(error?.description.contains("name another file") == true)
    }
}
