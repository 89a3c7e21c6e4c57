import Foundation
import Testing

@testable import OnebarCommands

/// Control-C, as its user sends it.
@Suite(.serialized) struct InterruptionTests {
    /// Starts the tool, interrupts it once `isTime`, and tells how it ended.
    private static func interrupted(
        _ arguments: [String],
        in folder: URL,
        once isTime: () -> Bool
    ) throws -> (status: Int32, error: String) {
        let error = folder.appendingPathComponent("stderr-\(UUID().uuidString)")
        let process = try ToolTests.started(arguments, in: folder, error: error)
        let deadline = ContinuousClock.now + .seconds(120)
        while process.isRunning, !isTime(), ContinuousClock.now < deadline {
            Thread.sleep(forTimeInterval: 0.02)
        }
        process.interrupt()
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOf: error, encoding: .utf8))
    }

    private static func names(below folder: URL) -> [String] {
        let walker = FileManager.default.enumerator(atPath: folder.path)
        return (walker?.allObjects as? [String] ?? []).sorted()
    }

    @Test func `the line that goes on can be pasted into a shell`() {
        let work = Interruption.Work(
            label: "commute",
            unit: "seeds",
            done: 3,
            total: 20,
            keptIn: "reports/commute/.unfinished/k"
        )
        let words = ["run", "my profile.jsonc", "--set", "app.it's=1"]
        #expect(
            Interruption.lines(work, words) == [
                "", "onebar: interrupted",
                "  commute: 3 of 20 seeds are finished, kept in reports/commute/.unfinished/k",
                "  nothing is half-written: every file is as it was, or whole",
                #"  go on where it stopped: onebar run 'my profile.jsonc' --set 'app.it'\''s=1'"#,
            ]
        )
        var lost = work
        lost.keptIn = nil
        #expect(Interruption.lines(lost, ["gate"]).last == "  begin again: onebar gate")
    }

    @Test func `a run that is interrupted says what is finished, and goes on from there`() throws {
        try ToolTests.withFolder { folder in
            let words = ["run", "messages-and-upload", "--seeds", "1..80", "--out", "r"]
            let report = folder.appendingPathComponent("r")
            let end = try Self.interrupted(words, in: folder) {
                Self.names(below: report).contains { $0.hasSuffix("seed-2.json") }
            }
            #expect(end.status == 130, "\(end.error)")
            #expect(end.error.contains("onebar: interrupted\n"))
            #expect(end.error.contains(" of 80 seeds are finished, kept in "))
            #expect(end.error.contains("nothing is half-written"))
            let line = "onebar run messages-and-upload --seeds 1..80 --out r"
            #expect(end.error.contains("go on where it stopped: \(line)\n"))
            // No report, whole or half: only finished seeds.
            let left = Self.names(below: report)
            #expect(left.filter { $0.contains(".html") || $0.contains("partial") } == [])

            let rest = try ToolTests.onebar(words, in: folder)
            #expect(rest.error.contains("of 80 seeds were run before"))
            let html = report.appendingPathComponent("messages-and-upload/report.html")
            #expect(FileManager.default.fileExists(atPath: html.path))
        }
    }

    @Test func `a hunt that is interrupted leaves no plan, and says how to go on`() throws {
        try ToolTests.withFolder { folder in
            let begun = folder.appendingPathComponent("r/messages-and-upload")
            let started = ContinuousClock.now
            let end = try Self.interrupted(
                ["hunt", "messages-and-upload", "--for", "120s", "--out", "r"],
                in: folder
            ) {
                FileManager.default.fileExists(atPath: begun.path)
                    && ContinuousClock.now - started > .seconds(2)
            }
            #expect(end.status == 130, "\(end.error)")
            let line =
                "go on where it stopped: onebar hunt messages-and-upload --for 120s --out r --from "
            let next = try #require(end.error.split(separator: "--from ").last)
            #expect(end.error.contains(line), "\(end.error)")
            let done = try #require(end.error.firstMatch(of: /: (\d+) plans are finished\n/)?.1)
            #expect(next.prefix { $0.isNumber } == done)
            #expect(Self.names(below: begun) == [])
        }
    }

    @Test func `a gate that is interrupted leaves the baseline and the report alone`() throws {
        try ToolTests.withFolder { folder in
            let started = ContinuousClock.now
            let end = try Self.interrupted(
                ["gate", "commute-no-faults", "--update", "--baseline", "b.json", "--out", "r"],
                in: folder
            ) { ContinuousClock.now - started > .seconds(2) }
            #expect(end.status == 130, "\(end.error)")
            #expect(end.error.contains("baseline commute-no-faults: "))
            #expect(end.error.contains("begin again: onebar gate commute-no-faults --update"))
            let baseline = folder.appendingPathComponent("b.json").path
            #expect(!FileManager.default.fileExists(atPath: baseline))
        }
    }
}
