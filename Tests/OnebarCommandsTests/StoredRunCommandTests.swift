import Foundation
import Testing

/// `demo`, `diff`, `report` and `history` as their user calls them.
@Suite struct StoredRunCommandTests {
    private func onebar(_ words: [String], in folder: URL) throws -> ToolTests.Ending {
        try ToolTests.onebar(words, in: folder)
    }

    private func write(app: String, in folder: URL) throws {
        let text = GateCommandTests.profile(app: app)
        try Data(text.utf8).write(to: folder.appendingPathComponent("mini.jsonc"))
    }

    @Test func `the demonstration fails, mends a line and passes`() throws {
        try ToolTests.withFolder { folder in
            let ending = try onebar(["demo"], in: folder)
            #expect(ending.status == 0, "\(ending.out)\(ending.error)")
            #expect(ending.out.contains("FAIL  outbox.exactly_once"))
            #expect(ending.out.contains("the idempotency keys differed"))
            #expect(ending.out.contains("PASS"))
            let widest = ending.out.split(separator: "\n").map(\.count).max() ?? 0
            #expect(widest <= 80, "\(ending.out)")
            let lines = ending.out.split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(lines <= 42, "calm: \(lines) lines")
        }
    }

    @Test func `a difference is told with its interval, and no difference as none`() throws {
        try ToolTests.withFolder { folder in
            try write(app: "{}", in: folder)
            #expect(try onebar(["run", "mini.jsonc", "--out", "a"], in: folder).status == 0)
            let chunks = #"{ "uploader": { "chunk": "32KiB..32KiB" } }"#
            try write(app: chunks, in: folder)
            #expect(try onebar(["run", "mini.jsonc", "--out", "b"], in: folder).status == 0)
            let same = try onebar(["diff", "a/mini", "a/mini"], in: folder)
            #expect(same.status == 0)
            #expect(same.out.contains("as they were"))
            let diff = try onebar(["diff", "a/mini", "b/mini"], in: folder)
            #expect(diff.status == 0)
            #expect(diff.out.contains("more network.requests"), "\(diff.out)")
            let apart = try onebar(
                ["run", "mini.jsonc", "--seeds", "90", "--out", "c"],
                in: folder
            )
            #expect(apart.status == 0, "\(apart.error)")
            #expect(try onebar(["diff", "a/mini", "c/mini"], in: folder).status == 5)
            #expect(try onebar(["diff", "a/mini"], in: folder).status == 64)
            #expect(try onebar(["diff", "a/mini", "nothing"], in: folder).status == 66)
        }
    }

    @Test func `a stored run gives the same report again`() throws {
        try ToolTests.withFolder { folder in
            try write(app: "{}", in: folder)
            #expect(try onebar(["run", "mini.jsonc", "--out", "a"], in: folder).status == 0)
            let again = try onebar(["report", "a/mini", "--out", "b"], in: folder)
            #expect(again.status == 0, "\(again.error)")
            for name in ["report.html", "run.json", "result.json", "metrics.csv"] {
                #expect(
                    try Data(contentsOf: folder.appendingPathComponent("a/mini/\(name)"))
                        == Data(contentsOf: folder.appendingPathComponent("b/\(name)"))
                )
            }
            let strict = GateCommandTests.profile(budget: "1J")
            try Data(strict.utf8).write(to: folder.appendingPathComponent("strict.jsonc"))
            let judged = try onebar(
                ["report", "a/mini", "--judge", "strict.jsonc", "--out", "c"],
                in: folder
            )
            #expect(judged.status == 1)
        }
    }

    @Test func `two runs at once are both in the archive, and a chart is drawn of them`() throws {
        try ToolTests.withFolder { folder in
            let words = ["run", "textbook/F1", "--quiet", "--history", "h.sqlite", "--out"]
            let group = DispatchGroup()
            for number in 0..<2 {
                group.enter()
                Thread.detachNewThread {
                    defer { group.leave() }
                    let ending = try? ToolTests.onebar(words + ["r\(number)"], in: folder)
                    if ending?.status != 0 { Issue.record("\(String(describing: ending))") }
                }
            }
            group.wait()
            let runs = try onebar(["history", "--history", "h.sqlite"], in: folder)
            #expect(runs.out.split(separator: "\n").count == 2, "\(runs.out)")
            let metric = ["history", "radio.on_s", "--history", "h.sqlite", "--html", "h.html"]
            let table = try onebar(metric, in: folder)
            #expect(table.status == 0, "\(table.error)")
            // F1: ten requests of 1 s with 5 s of tail, 60 s in all.
            #expect(table.out.contains("1 min"), "\(table.out)")
            let page = try String(
                contentsOf: folder.appendingPathComponent("h.html"),
                encoding: .utf8
            )
            #expect(page.contains("<svg") && !page.contains("http"))
            let wrong = try onebar(["history", "radio.on", "--history", "h.sqlite"], in: folder)
            #expect(wrong.status == 5)
            #expect(wrong.error.contains("radio.on_s"))
            #expect(try onebar(["history", "--history", "none"], in: folder).status == 66)
        }
    }
}
