import Budgets
import Measurements
import Quantities

/// The CSV files of a run.
package enum RunCSV {
    /// `metrics.csv`: profile, seed, metric, unit, value; one row a value, several for samples.
    package static func metrics(of run: ProfileRun) -> String {
        var table = CSVText(columns: ["profile", "seed", "metric", "unit", "value"])
        for seed in run.seeds {
            for reading in seed.metrics {
                for value in reading.values {
                    table.append([
                        run.profile, String(seed.seed), reading.name.text,
                        reading.name.unit.rawValue, JSONValue.text(of: value),
                    ])
                }
            }
        }
        return table.text
    }

    /// `energy.csv`: joules of each owner in each seed; a tail is its whose wake-up caused it.
    package static func energy(of run: ProfileRun) -> String {
        var table = CSVText(columns: [
            "profile", "seed", "operation", "active_j", "tail_j", "other_j", "total_j",
        ])
        for seed in run.seeds {
            for entry in seed.energy {
                let parts = [
                    entry.activeNanojoules, entry.tailNanojoules, entry.otherNanojoules,
                    entry.totalNanojoules,
                ]
                table.append(
                    [run.profile, String(seed.seed), entry.owner]
                        + parts.map { JSONValue.text(of: Double($0) / 1e9) }
                )
            }
        }
        return table.text
    }

    /// `budgets.csv`: one row a budget line.
    package static func budgets(of run: ProfileRun) -> String {
        var table = CSVText(columns: [
            "profile", "metric", "statistic", "comparison", "limit", "value", "unit", "n", "level",
            "verdict", "rule", "note",
        ])
        for verdict in run.budgets {
            table.append([
                run.profile, verdict.metric.text, verdict.statistic.rawValue,
                verdict.rule.comparison.rawValue, verdict.limit.map(JSONValue.text(of:)) ?? "",
                verdict.value.map(JSONValue.text(of:)) ?? "", verdict.metric.unit.rawValue,
                String(verdict.count), verdict.level.rawValue, verdict.verdict.rawValue,
                verdict.rule.text, verdict.note,
            ])
        }
        return table.text
    }

    /// `timeline.csv`: the tracks of `seed`, in the order of the report; empty but for its head
    /// if no timeline was recorded.
    package static func timeline(of seed: SeedResult?) -> String {
        var table = CSVText(columns: [
            "seed", "track", "name", "start_ns", "end_ns", "kind", "value", "label",
        ])
        guard let seed, let timeline = seed.timeline else { return table.text }
        let number = String(seed.seed)
        func spans(_ track: String, _ name: String, _ spans: [TimelineSpan]) {
            for span in spans {
                table.append([
                    number, track, name, String(span.start.nanoseconds),
                    String(span.end.nanoseconds), span.kind,
                    span.value == 0 ? "" : String(span.value), span.label,
                ])
            }
        }
        func points(_ track: String, _ name: String, _ points: [TimelinePoint]) {
            for point in points {
                table.append([
                    number, track, name, String(point.instant.nanoseconds), "", "",
                    String(point.value), "",
                ])
            }
        }
        spans("path", "", timeline.path)
        for radio in timeline.radios { spans("radio", radio.name, radio.spans) }
        spans("app", "", timeline.app)
        for mark in timeline.marks {
            table.append([
                number, "mark", "", String(mark.instant.nanoseconds), "", mark.kind, "", mark.label,
            ])
        }
        spans("fault", "", timeline.faults)
        points("outbox", "", timeline.outboxDepth)
        for upload in timeline.uploads { points("upload", upload.name, upload.points) }
        points("memory", "", timeline.memory)
        if let arrivals = timeline.arrivals {
            for (kind, counts) in [
                ("request", arrivals.requests), ("refused", arrivals.refused),
            ] {
                for (index, count) in counts.enumerated() {
                    table.append([
                        number, "arrivals", "", String(arrivals.start(of: index).nanoseconds),
                        String(arrivals.start(of: index + 1).nanoseconds), kind, String(count), "",
                    ])
                }
            }
        }
        return table.text
    }
}
