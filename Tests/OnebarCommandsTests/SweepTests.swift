import Foundation
import Testing

/// A sweep that is cut, interrupted, cached or varied gives what one run in one piece gives.
@Suite struct SweepTests {
    private func files(_ report: URL) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in ["run.json", "metrics.csv", "budgets.csv", "report.html", "junit.xml"] {
            found[name] = try Data(contentsOf: report.appendingPathComponent(name))
        }
        return found
    }

    @Test func `pieces that are joined are the sweep, byte for byte`() throws {
        try ToolTests.withFolder { folder in
            let seeds = ["airplane-mode", "--seeds", "1..3", "--quiet"]
            let whole = try ToolTests.onebar(["run"] + seeds + ["--out", "whole"], in: folder)
            for piece in ["1/2", "2/2"] {
                let words = ["run"] + seeds + ["--out", "cut", "--shard", piece]
                let ending = try ToolTests.onebar(words, in: folder)
                #expect(ending.status == 0, "\(ending.error)")
            }
            let pieces = (1...2).map { "cut/airplane-mode/shard-\($0)-of-2.jsonl" }
            let words = ["merge", "--out", "joined"] + pieces.reversed()
            let joined = try ToolTests.onebar(words, in: folder)
            #expect(joined.status == whole.status, "\(joined.error)")
            #expect(
                try files(folder.appendingPathComponent("joined/airplane-mode"))
                    == files(folder.appendingPathComponent("whole/airplane-mode"))
            )
        }
    }

    @Test func `what cannot be joined is refused with place and remedy`() throws {
        try ToolTests.withFolder { folder in
            for (profile, piece) in [("airplane-mode", "1/2"), ("elevator", "2/2")] {
                let ending = try ToolTests.onebar(
                    ["run", profile, "--seeds", "1..2", "--quiet", "--out", "r", "--shard", piece],
                    in: folder
                )
                #expect(ending.status == 0, "\(ending.error)")
            }
            let one = "r/airplane-mode/shard-1-of-2.jsonl"
            let lonely = try ToolTests.onebar(["merge", one], in: folder)
            #expect(lonely.status == 66)
            #expect(lonely.error.contains("1 of 2 pieces are missing: 2/2"), "\(lonely.error)")
            let twice = try ToolTests.onebar(["merge", one, one], in: folder)
            #expect(twice.status == 65)
            #expect(twice.error.contains("piece 1 is there twice"), "\(twice.error)")
            let mixed = try ToolTests.onebar(
                ["merge", one, "r/elevator/shard-2-of-2.jsonl"],
                in: folder
            )
            #expect(mixed.status == 65)
            #expect(mixed.error.contains("a piece of another sweep"), "\(mixed.error)")
            let text = try Data(contentsOf: folder.appendingPathComponent(one))
            try text.dropLast(40).write(to: folder.appendingPathComponent("cut.jsonl"))
            let cut = try ToolTests.onebar(["merge", "cut.jsonl"], in: folder)
            #expect(cut.status == 65)
            #expect(cut.error.contains("cut.jsonl:2: error: the line is cut off"), "\(cut.error)")
            let none = try ToolTests.onebar(["merge", "none.jsonl"], in: folder)
            #expect(none.status == 66)
            #expect(none.error.contains("none.jsonl: error: the file cannot be read"))
            let pieces = try ToolTests.onebar(["merge", "r/elevator"], in: folder)
            #expect(pieces.status == 66)
            #expect(
                pieces.error.contains(
                    "r/elevator: error: this is a folder (name the pieces in it: "
                        + "r/elevator/shard-*.jsonl)"
                ),
                "\(pieces.error)"
            )
            let nonsense = try ToolTests.onebar(
                ["run", "elevator", "--shard", "3/2"],
                in: folder
            )
            #expect(nonsense.status == 64)
            #expect(nonsense.error.contains("'3/2' is no piece"), "\(nonsense.error)")
        }
    }

    /// The tool is killed as soon as one seed of many has been kept.
    @Test func `a sweep that was killed goes on where it stopped`() throws {
        try ToolTests.withFolder { folder in
            let words = ["run", "commute", "--seeds", "1..8", "--quiet"]
            let process = try ToolTests.started(words + ["--out", "r"], in: folder)
            let leavings = folder.appendingPathComponent("r/commute/.unfinished")
            var kept = 0
            while process.isRunning, kept == 0 {
                let all = FileManager.default.subpaths(atPath: leavings.path) ?? []
                kept = all.count { $0.hasSuffix(".json") }
                usleep(5_000)
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try #require(kept >= 1)
            let report = folder.appendingPathComponent("r/commute/report.html")
            #expect(!FileManager.default.fileExists(atPath: report.path))
            let again = try ToolTests.onebar(words + ["--out", "r"], in: folder)
            #expect(again.error.contains("of 8 seeds were run before"), "\(again.error)")
            #expect(!FileManager.default.fileExists(atPath: leavings.path))
            let whole = try ToolTests.onebar(words + ["--out", "w"], in: folder)
            #expect(again.status == whole.status)
            #expect(
                try files(folder.appendingPathComponent("r/commute"))
                    == files(folder.appendingPathComponent("w/commute"))
            )
        }
    }

    @Test func `a cache answers for the same profile only, and says so`() throws {
        try ToolTests.withFolder { folder in
            let words = ["run", "airplane-mode", "--seeds", "1..2", "--quiet", "--cache", "c"]
            let first = try ToolTests.onebar(words + ["--out", "a"], in: folder)
            #expect(!first.error.contains("run before"), "\(first.error)")
            let second = try ToolTests.onebar(words + ["--out", "b"], in: folder)
            #expect(second.error.contains("2 of 2 seeds were run before"), "\(second.error)")
            #expect(
                try files(folder.appendingPathComponent("a/airplane-mode"))
                    == files(folder.appendingPathComponent("b/airplane-mode"))
            )
            let other = try ToolTests.onebar(
                words + ["--out", "d", "--set", "app.retry.base=2s"],
                in: folder
            )
            #expect(!other.error.contains("run before"), "\(other.error)")
        }
    }

    @Test func `values of one key stand side by side on the same seeds`() throws {
        try ToolTests.withFolder { folder in
            let words = ["run", "airplane-mode", "--seeds", "1..2", "--quiet"]
            let ending = try ToolTests.onebar(
                words + ["--vary", "app.retry=full-jitter,workmanager-2"],
                in: folder
            )
            #expect([0, 1, 3].contains(ending.status), "\(ending.error)")
            #expect(ending.out.contains("app.retry=full-jitter  app.retry=workmanager-2"))
            #expect(ending.out.contains("broken guarantees"))
            for value in ["full-jitter", "workmanager-2"] {
                let report = "reports/airplane-mode/vary/\(value)/report.html"
                let path = folder.appendingPathComponent(report).path
                #expect(FileManager.default.fileExists(atPath: path))
            }
            let unknown = try ToolTests.onebar(
                words + ["--vary", "app.retry=workmanger-2"],
                in: folder
            )
            #expect(unknown.status == 65)
            // The option that was written, the value, and the nearest name.
            #expect(
                unknown.error.hasPrefix(
                    "--vary app.retry: error: there is no client \"workmanger-2\" "
                        + "(did you mean \"workmanager-2\"?)"
                ),
                "\(unknown.error)"
            )
        }
    }
}
