import Budgets
import Measurements
import Quantities
import SQLiteStore

extension HistoryArchive {
    func insert(_ run: ProfileRun, _ gate: RunVerdict?, _ context: HistoryContext) throws -> Int64 {
        try connection.execute(
            """
            INSERT INTO runs (profile, commit_id, branch, label, recorded_at, tool_version, mode,
                fingerprint, verdict, exit_code, reasons, gate_verdict, gate_exit_code, gate_reasons)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            run.profile,
            context.commit,
            context.branch,
            context.label,
            context.recordedAt,
            context.toolVersion,
            run.mode,
            run.fingerprint,
            run.verdict.verdict.rawValue,
            Int64(run.verdict.outcome.exitCode),
            run.verdict.reasons.joined(separator: "\n"),
            gate?.verdict.rawValue,
            gate.map { Int64($0.outcome.exitCode) },
            gate?.reasons.joined(separator: "\n")
        )
        return connection.lastInsertedRowID
    }

    func insertSeeds(of run: ProfileRun, _ number: Int64) throws {
        for seed in run.seeds {
            let identity = Int64(bitPattern: seed.seed)
            try connection.execute(
                "INSERT INTO seeds (run_id, seed, fingerprint, virtual_end_ns) VALUES (?, ?, ?, ?)",
                number,
                identity,
                seed.fingerprint,
                seed.virtualEnd.nanoseconds
            )
            for reading in seed.metrics {
                for (sample, value) in reading.values.enumerated() {
                    try connection.execute(
                        """
                        INSERT INTO readings (run_id, metric, seed, sample, value)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                        number,
                        reading.name.text,
                        identity,
                        Int64(sample),
                        value
                    )
                }
            }
        }
    }

    func insertJudgement(of run: ProfileRun, _ number: Int64) throws {
        for summary in MetricSummary.all(of: run.seeds) {
            try connection.execute(
                """
                INSERT INTO summaries (run_id, metric, unit, n, min, mean, p50, p90, p95, p99, max)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                number,
                summary.name.text,
                summary.name.unit.rawValue,
                Int64(summary.count),
                summary[.min],
                summary[.mean],
                summary[.p50],
                summary[.p90],
                summary[.p95],
                summary[.p99],
                summary[.max]
            )
        }
        for (line, budget) in run.budgets.enumerated() {
            try connection.execute(
                """
                INSERT INTO budgets (run_id, line, metric, statistic, rule, level, limit_value,
                    value, verdict)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                number,
                Int64(line),
                budget.metric.text,
                budget.statistic.rawValue,
                budget.rule.text,
                budget.level.rawValue,
                budget.limit,
                budget.value,
                budget.verdict.rawValue
            )
        }
        for (index, breach) in run.breaches.enumerated() {
            try connection.execute(
                """
                INSERT INTO breaches (run_id, number, guarantee, seed, at_ns, subject, message)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                number,
                Int64(index),
                breach.guarantee.text,
                Int64(bitPattern: breach.seed),
                breach.instant.nanoseconds,
                breach.subject,
                breach.message
            )
        }
    }
}
