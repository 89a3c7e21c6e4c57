import Budgets
import Measurements
import Quantities
import SQLiteStore

/// An archive of runs in one SQLite file, for figures over commits.
///
/// A run is one transaction: it is there whole or not at all, whenever the process dies. Two
/// processes may write at once; one waits for the other. The rollback journal is used rather than
/// the WAL so that between runs the archive is a single file that a CI can cache and copy.
package final class HistoryArchive {
    /// Where it is.
    package let path: String
    let connection: SQLiteConnection

    /// Opens an archive, makes it when it is not there, and brings it to the present version.
    ///
    /// `vfs` names a registered VFS; nil means the default one. A writer waits up to `patience` for
    /// another.
    package init(
        path: String,
        vfs: String? = nil,
        patience: Duration = .seconds(30)
    ) throws(HistoryError) {
        self.path = path
        let configuration = SQLiteConfiguration(
            journalMode: nil,
            synchronous: .extra,
            busyTimeout: patience
        )
        do {
            connection = try SQLiteConnection(path: path, vfs: vfs, configuration: configuration)
            try Self.migrate(connection, path: path)
        } catch {
            throw Self.translate(error, path: path)
        }
    }

    /// Archives a run and returns its number; all of it or, when it throws, nothing.
    ///
    /// `gate` is the verdict of the gate that judged it, which then stands for the run's own.
    @discardableResult
    package func add(
        _ run: ProfileRun,
        gate: RunVerdict? = nil,
        under context: HistoryContext
    ) throws(HistoryError) -> Int64 {
        do {
            return try connection.transaction(.immediate) {
                let number = try insert(run, gate, context)
                try insertSeeds(of: run, number)
                try insertJudgement(of: run, number)
                return number
            }
        } catch {
            throw Self.translate(error, path: path)
        }
    }

    /// The last `limit` runs, oldest first; of one profile, or of all.
    package func runs(of profile: String? = nil, last limit: Int = .max) throws(HistoryError)
        -> [HistoryRun]
    {
        do {
            let rows = try connection.statement(
                """
                SELECT id, profile, commit_id, branch, label, recorded_at, tool_version,
                    (SELECT count(*) FROM seeds WHERE run_id = id), fingerprint,
                    coalesce(gate_verdict, verdict), coalesce(gate_exit_code, exit_code),
                    coalesce(gate_reasons, reasons)
                FROM runs WHERE profile = coalesce(?, profile) ORDER BY id DESC LIMIT ?
                """
            ).all(profile, Int64(limit)) { row in
                HistoryRun(
                    run: row.integer(at: 0),
                    profile: row.text(at: 1),
                    context: HistoryContext(
                        commit: row.text(at: 2),
                        branch: row.text(at: 3),
                        label: row.text(at: 4),
                        recordedAt: row.text(at: 5),
                        toolVersion: row.text(at: 6)
                    ),
                    seeds: Int(row.integer(at: 7)),
                    fingerprint: row.text(at: 8),
                    verdict: row.text(at: 9),
                    exitCode: Int32(row.integer(at: 10)),
                    reasons: row.text(at: 11).split(separator: "\n").map(String.init)
                )
            }
            return rows.reversed()
        } catch {
            throw Self.translate(error, path: path)
        }
    }

    /// A metric over the last `limit` runs of a profile, oldest first; runs without it are left out.
    package func series(
        of metric: MetricName,
        profile: String,
        last limit: Int = .max
    ) throws(HistoryError) -> [HistoryPoint] {
        do {
            let rows = try connection.statement(
                """
                SELECT id, commit_id, recorded_at, coalesce(gate_verdict, verdict), n, min, mean, p50, p90, p95, p99, max
                FROM runs JOIN summaries ON run_id = id
                WHERE profile = ? AND metric = ? ORDER BY id DESC LIMIT ?
                """
            ).all(profile, metric.text, Int64(limit)) { row in
                HistoryPoint(
                    run: row.integer(at: 0),
                    commit: row.text(at: 1),
                    recordedAt: row.text(at: 2),
                    verdict: row.text(at: 3),
                    count: Int(row.integer(at: 4)),
                    values: (5..<12).map { row.double(at: $0) }
                )
            }
            return rows.reversed()
        } catch {
            throw Self.translate(error, path: path)
        }
    }

    /// The metrics that any run of a profile has, in the order of the catalogue.
    package func metrics(of profile: String) throws(HistoryError) -> [MetricName] {
        do {
            return try connection.statement(
                """
                SELECT DISTINCT metric FROM summaries JOIN runs ON run_id = id WHERE profile = ?
                """
            ).all(profile) { MetricName($0.text(at: 0)) }.sorted()
        } catch {
            throw Self.translate(error, path: path)
        }
    }

    static func translate(_ error: any Error, path: String) -> HistoryError {
        switch error {
        case let error as HistoryError: return error
        case let error as SQLiteError where error.code.primary.rawValue == 26:
            // SQLITE_NOTADB: the file is something else altogether.
            return .foreignFile(path: path)
        case let error as SQLiteError: return .storage(path: path, error)
        default: preconditionFailure("an archive fails by SQLite or not at all: \(error)")
        }
    }
}
