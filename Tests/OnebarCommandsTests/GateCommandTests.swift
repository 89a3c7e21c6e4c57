import Foundation
import Testing

/// `onebar gate` as CI calls it: a process with a baseline, files and an exit code.
@Suite struct GateCommandTests {
    /// Three photos on a lossy street; `app` is what a change of the code would change.
    static func profile(app: String = "{}", loss: String = "3%", budget: String = "900J") -> String
    {
        """
        {
          "onebar": 1,
          "device": "android-mid",
          "radio": { "cellular": "lte-2012-aro", "wifi": "wifi" },
          "network": { "phases": [{ "name": "street", "over": "cellular", "down": "2Mbps",
            "up": "500kbps", "rtt": "150ms", "loss": "\(loss)" }] },
          "app": \(app),
          "workload": [
            { "do": "photo.upload", "at": ["5s", "20s"], "size": "500kB" }],
          "run": { "seeds": "1..10", "settle": "5min" },
          "budgets": { "radio.energy_j": "max <= \(budget)", "network.up_bytes": "max <= 9MB" }
        }
        """
    }

    private func write(_ text: String, to name: String, in folder: URL) throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: url)
    }

    private func gate(_ words: [String], in folder: URL) throws -> ToolTests.Ending {
        try ToolTests.onebar(["gate", "mini.jsonc", "--quiet"] + words, in: folder)
    }

    @Test func `a gate without a baseline decides nothing, and then with one it passes`() throws {
        try ToolTests.withFolder { folder in
            try write(Self.profile(), to: "mini.jsonc", in: folder)
            let none = try gate(["--history", "h.sqlite"], in: folder)
            #expect(none.status == 5, "\(none.out)\(none.error)")
            #expect(none.out.contains("--update"))
            #expect(none.out.hasPrefix("gate mini  NOT DECIDED  "), "\(none.out)")
            let page = try String(
                contentsOf: folder.appendingPathComponent("reports/mini/report.html"),
                encoding: .utf8
            )
            #expect(page.contains("<title>mini: not decided</title>"))
            let archived = try ToolTests.onebar(["history", "--history", "h.sqlite"], in: folder)
            #expect(archived.out.hasSuffix("10 seeds  not decided\n"), "\(archived.out)")
            let made = try gate(["--update"], in: folder)
            #expect(made.status == 0, "\(made.error)")
            #expect(made.out.contains("40 seeds"))
            let same = try gate([], in: folder)
            #expect(same.status == 0, "\(same.out)\(same.error)")
            #expect(same.out.contains("every figure is the same"))
            let report = folder.appendingPathComponent("reports/mini")
            let names = try FileManager.default.contentsOfDirectory(atPath: report.path)
            for name in ["gate.json", "metrics.txt", "junit.xml", "summary.md", "report.html"] {
                #expect(names.contains(name), "\(names)")
            }
            let summary = try String(
                contentsOf: report.appendingPathComponent("summary.md"),
                encoding: .utf8
            )
            #expect(summary.split(separator: "\n", omittingEmptySubsequences: false).count < 40)
        }
    }

    @Test func `the line to run a seed again names the file as a shell reads it`() throws {
        try ToolTests.withFolder { folder in
            let name = "it's F1.jsonc"
            try write(#"{ "onebar": 1, "extends": "textbook/F1" }"#, to: name, in: folder)
            for command in ["run", "gate"] {
                let words = [command, name, "--quiet", "--out", command]
                let ending = try ToolTests.onebar(words, in: folder)
                #expect(ending.status == (command == "run" ? 0 : 5), "\(ending.error)")
                let page = try String(
                    contentsOf: folder.appendingPathComponent("\(command)/it's F1/report.html"),
                    encoding: .utf8
                )
                let line = #"onebar run 'it'\''s F1.jsonc' --seeds 1"#
                #expect(page.contains(line.replacing("'", with: "&#39;")))
            }
        }
    }

    @Test func `a change of the app that costs more is a regression, and one of the weather stale`()
        throws
    {
        try ToolTests.withFolder { folder in
            try write(Self.profile(), to: "mini.jsonc", in: folder)
            #expect(try gate(["--update"], in: folder).status == 0)
            // Sixteen requests a photo instead of two: a round trip of 150 ms more for each.
            let slower = Self.profile(app: #"{ "uploader": { "chunk": "32KiB..32KiB" } }"#)
            try write(slower, to: "mini.jsonc", in: folder)
            let worse = try gate([], in: folder)
            #expect(worse.status == 1, "\(worse.out)\(worse.error)")
            #expect(worse.out.contains("radio.energy_j rose"), "\(worse.out)")
            try write(Self.profile(loss: "4%"), to: "mini.jsonc", in: folder)
            let stale = try gate([], in: folder)
            #expect(stale.status == 5, "\(stale.out)")
            #expect(stale.out.contains("stale"), "\(stale.out)")
            #expect(stale.out.hasPrefix("gate mini  NOT DECIDED  "), "\(stale.out)")
        }
    }

    @Test func `a known failure is excused until its day, and has to go when it is mended`() throws
    {
        try ToolTests.withFolder { folder in
            try write(Self.profile(budget: "1J"), to: "mini.jsonc", in: folder)
            #expect(try gate(["--update"], in: folder).status == 0)
            #expect(try gate([], in: folder).status == 1)
            func known(_ until: String, _ failure: String) -> String {
                """
                [{ "profile": "mini", "failure": "\(failure)", "reason": "a slow month",
                   "owner": "messaging", "until": "\(until)" }]
                """
            }
            let file = "reports/baselines/known-failures.jsonc"
            let budget = "radio.energy_j: max <= 1J"
            try write(known("9999-01-01", budget), to: file, in: folder)
            let excused = try gate([], in: folder)
            #expect(excused.status == 0, "\(excused.out)\(excused.error)")
            #expect(excused.out.contains("messaging"))
            let page = try String(
                contentsOf: folder.appendingPathComponent("reports/mini/report.html"),
                encoding: .utf8
            )
            #expect(page.contains("<title>mini: pass, with warnings</title>"))
            #expect(page.contains("excused until 9999-01-01 (messaging, a slow month)"))
            #expect(!page.contains("v-fail\" role"))
            try write(known("2026-01-01", budget), to: file, in: folder)
            let late = try gate([], in: folder)
            #expect(late.status == 1)
            #expect(late.out.contains("2026-01-01"))
            try write(known("9999-01-01", "outbox.in_order"), to: file, in: folder)
            let mended = try gate(["--json"], in: folder)
            #expect(mended.status == 1)
            #expect(mended.out.contains("does not fail any more"))
            try write(known("2026-13-01", budget), to: file, in: folder)
            let wrong = try gate([], in: folder)
            #expect(wrong.status == 65)
            #expect(wrong.error.contains("known-failures.jsonc:2:"), "\(wrong.error)")
        }
    }
}
