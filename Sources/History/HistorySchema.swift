/// The tables of a history file, as a row of migrations; `PRAGMA user_version` counts those done.
///
/// A file is plain SQLite, to be asked by anything that reads it:
///
/// - `runs`: one row a run. `commit_id`, `branch`, `label`, `recorded_at` (UTC, ISO 8601) and
///   `tool_version` are what the caller said; `verdict` is pass, warn or fail; `exit_code` that of
///   `run`; `reasons` one sentence a line. Of a run that a gate judged, `gate_verdict` (also
///   not-decided), `gate_exit_code` and `gate_reasons` are what the gate said; else they are NULL.
/// - `seeds`: one row a seed of a run, with its fingerprint and virtual end in nanoseconds. A seed
///   beyond 2^63 - 1 is stored as its two's complement.
/// - `readings`: every value that a seed gave for a metric; `sample` counts from zero.
/// - `summaries`: the statistics of a metric over a run: what a chart over commits reads.
/// - `budgets`: one row a budget line, in the order of the profile. `limit_value` is NULL without a
///   baseline, `value` when no seed touched the metric.
/// - `breaches`: one row a broken guarantee: seed, virtual time, whom it happened to, the sentence.
///
/// `SELECT commit_id, p95 FROM runs JOIN summaries ON run_id = id WHERE profile = 'commute' AND
/// metric = 'radio.energy_j' ORDER BY id` is energy over commits.
enum HistorySchema {
    /// "ONBR": tells our files from other SQLite files (sqlite.org/pragma.html#pragma_application_id).
    static let applicationID: Int32 = 0x4F4E_4252

    /// The scripts that lead from each version to the next; never changed once released.
    static let migrations: [String] = [
        """
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            profile TEXT NOT NULL,
            commit_id TEXT NOT NULL,
            recorded_at TEXT NOT NULL,
            tool_version TEXT NOT NULL,
            mode TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            verdict TEXT NOT NULL CHECK (verdict IN ('pass', 'warn', 'fail')),
            exit_code INTEGER NOT NULL,
            reasons TEXT NOT NULL
        );
        CREATE INDEX runs_by_profile ON runs (profile, id);
        CREATE TABLE seeds (
            run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            seed INTEGER NOT NULL,
            fingerprint TEXT NOT NULL,
            virtual_end_ns INTEGER NOT NULL,
            PRIMARY KEY (run_id, seed)
        ) WITHOUT ROWID;
        CREATE TABLE readings (
            run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            metric TEXT NOT NULL,
            seed INTEGER NOT NULL,
            sample INTEGER NOT NULL,
            value REAL NOT NULL,
            PRIMARY KEY (run_id, metric, seed, sample)
        ) WITHOUT ROWID;
        CREATE TABLE summaries (
            run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            metric TEXT NOT NULL,
            unit TEXT NOT NULL,
            n INTEGER NOT NULL,
            min REAL NOT NULL,
            mean REAL NOT NULL,
            p50 REAL NOT NULL,
            p90 REAL NOT NULL,
            p95 REAL NOT NULL,
            p99 REAL NOT NULL,
            max REAL NOT NULL,
            PRIMARY KEY (run_id, metric)
        ) WITHOUT ROWID;
        """,
        """
        CREATE TABLE budgets (
            run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            line INTEGER NOT NULL,
            metric TEXT NOT NULL,
            statistic TEXT NOT NULL,
            rule TEXT NOT NULL,
            level TEXT NOT NULL,
            limit_value REAL,
            value REAL,
            verdict TEXT NOT NULL,
            PRIMARY KEY (run_id, line)
        ) WITHOUT ROWID;
        CREATE TABLE breaches (
            run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            guarantee TEXT NOT NULL,
            seed INTEGER NOT NULL,
            at_ns INTEGER NOT NULL,
            subject TEXT NOT NULL,
            message TEXT NOT NULL,
            PRIMARY KEY (run_id, number)
        ) WITHOUT ROWID;
        CREATE INDEX breaches_by_guarantee ON breaches (guarantee, run_id);
        """,
        """
        ALTER TABLE runs ADD COLUMN branch TEXT NOT NULL DEFAULT '';
        ALTER TABLE runs ADD COLUMN label TEXT NOT NULL DEFAULT '';
        """,
        """
        ALTER TABLE runs ADD COLUMN gate_verdict TEXT
            CHECK (gate_verdict IN ('pass', 'warn', 'fail', 'not-decided'));
        ALTER TABLE runs ADD COLUMN gate_exit_code INTEGER;
        ALTER TABLE runs ADD COLUMN gate_reasons TEXT;
        """,
    ]
}
