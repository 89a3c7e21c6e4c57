import Foundation
import Measurements
import OnebarCommands
import Quantities
import Testing

/// `onebar hunt` and `onebar replay` as their user calls them.
@Suite struct HuntToolTests {
    /// A server that forgets an Idempotency-Key sooner than any client tries again.
    private static func profile(keysLive: String) -> String {
        """
        // Forgetful.
        { "onebar": 1, "extends": "messages-and-upload",
          "server": { "idempotency_keys_live": "\(keysLive)" } }
        """
    }

    private static func write(_ text: String, _ name: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    /// Runs the tool; retries are 1 s apart at most, keys live 1 ms: a lost answer doubles.
    @Test func `a hunt saves plan and story, and a replay tells what became of them`() throws {
        try ToolTests.withFolder { folder in
            try Self.write(Self.profile(keysLive: "1ms"), "own.jsonc", in: folder)
            let hunt = try ToolTests.onebar(
                ["hunt", "own.jsonc", "--for", "60s", "--out", "it's r", "--jobs", "2"],
                in: folder
            )
            #expect(hunt.status == 3, "\(hunt.out)\(hunt.error)")
            #expect(hunt.out.contains("outbox.exactly_once is broken"))
            #expect(hunt.out.contains("to 1 fault in"))
            #expect(hunt.out.contains("profile own.jsonc, seed 1, at "))
            let plan = "it's r/own/outbox.exactly_once.plan.json"
            let line = #"onebar replay 'it'\''s r/own/outbox.exactly_once.plan.json'"#
            #expect(hunt.out.contains("replay: \(line)\n"), "\(hunt.out)")
            let story = try String(
                contentsOf: folder.appendingPathComponent(
                    "it's r/own/outbox.exactly_once.story.txt"
                ),
                encoding: .utf8
            )
            #expect(story.contains("FAULT   response.lost"))
            #expect(story.contains(line), "\(story)")
            #expect(story.contains("for the 2. time"))

            let same = try ToolTests.onebar(["replay", plan], in: folder)
            #expect(same.status == 3, "\(same.error)")
            #expect(same.out.hasPrefix("same failure\n"))

            try Self.write(Self.profile(keysLive: "1h"), "own.jsonc", in: folder)
            let none = try ToolTests.onebar(["replay", plan, "--story"], in: folder)
            #expect(none.status == 0, "\(none.error)")
            #expect(none.out.hasPrefix("no failure\n"))
            #expect(none.out.contains("fault 1 fired"))
        }
    }

    /// Keys that live too short double a message; the plan was saved for something else.
    @Test func `a replay that breaks something else says that it is another failure`() throws {
        try ToolTests.withFolder { folder in
            try Self.write(Self.profile(keysLive: "1ms"), "own.jsonc", in: folder)
            try Self.write(
                """
                { "format": "onebar.plan/1", "profile": "own.jsonc", "seed": 1,
                  "faults": [{ "fault": "response.lost", "nth": 1 }],
                  "failure": { "guarantee": "upload.created_once", "entity": "file.upload",
                    "owner": "uploader", "message": "created twice" } }
                """,
                "p.json",
                in: folder
            )
            let ending = try ToolTests.onebar(["replay", "p.json"], in: folder)
            #expect(ending.status == 3, "\(ending.out)\(ending.error)")
            #expect(ending.out.hasPrefix("another failure\noutbox.exactly_once is broken"))
            #expect(ending.out.contains("the plan was saved for upload.created_once"))
        }
    }

    @Test func `a worker that trapped tells when, on the app's clock`() {
        let words = """
            Fatal error: index out of range
            onebar: trap at 5000000000 ns, seed 3 of own
            """
        let breach = GuaranteeBreach.crash(seed: 3, cause: "signal 4", lastWords: words)
        #expect(breach.instant == SimulationInstant(nanoseconds: 5_000_000_000))
        #expect(breach.message == "the app crashed: signal 4: Fatal error: index out of range")
        let silent = GuaranteeBreach.crash(seed: 3, cause: "signal 9", lastWords: "")
        #expect(silent.instant == .zero)
        #expect(silent.message == "the app crashed: signal 9: it said nothing")
    }

    @Test func `a plan of a test of one's own is sent back to that test`() throws {
        try ToolTests.withFolder { folder in
            try Self.write(
                """
                { "format": "onebar.plan/1", "profile": "commute", "seed": 1, "faults": [],
                  "test": "ChatTests/OwnModuleTests.swift a message arrives()" }
                """,
                "p.json",
                in: folder
            )
            let ending = try ToolTests.onebar(["replay", "p.json"], in: folder)
            #expect(ending.status == 65)
            #expect(ending.error.contains("ChatTests/OwnModuleTests.swift a message arrives()"))
            #expect(ending.error.contains("ONEBAR_REPLAY='p.json'"))
        }
    }

    @Test func `a plan whose faults find no place tests nothing`() throws {
        try ToolTests.withFolder { folder in
            try Self.write(
                """
                { "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 1,
                  "faults": [{ "fault": "response.lost", "nth": 99999 }] }
                """,
                "p.json",
                in: folder
            )
            let ending = try ToolTests.onebar(["replay", "p.json"], in: folder)
            #expect(ending.status == 5, "\(ending.out)\(ending.error)")
            #expect(ending.out.contains("skipped"))
        }
    }

    /// Who waits for an answer holds no lock: the suspension comes due and harms nobody.
    @Test func `a plan whose faults are all absorbed tests nothing`() throws {
        try ToolTests.withFolder { folder in
            try Self.write(
                """
                { "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 1,
                  "faults": [{ "fault": "process.dead10cc", "after": "request.sent", "nth": 1,
                    "relaunch": "2s" }] }
                """,
                "p.json",
                in: folder
            )
            let ending = try ToolTests.onebar(["replay", "p.json"], in: folder)
            #expect(ending.status == 5, "\(ending.out)\(ending.error)")
            #expect(ending.out.contains("fault 1 absorbed: "), "\(ending.out)")
        }
    }

    @Test func `a hunt that finds nothing ends with 0 and tells what it struck`() throws {
        try ToolTests.withFolder { folder in
            let ending = try ToolTests.onebar(
                ["hunt", "messages-and-upload", "--for", "1s", "--quiet"],
                in: folder
            )
            #expect(ending.status == 0, "\(ending.out)\(ending.error)")
            #expect(ending.out.contains("no guarantee broke in"))
            #expect(ending.out.contains("places struck"))
        }
    }

    @Test func `a hunt goes on where another ended`() throws {
        try ToolTests.withFolder { folder in
            let words = ["hunt", "two-rows", "--for", "1s", "--jobs", "2", "--quiet"]
            let first = try ToolTests.onebar(words, in: folder)
            #expect(first.status == 0, "\(first.out)\(first.error)")
            let told = try #require(first.out.firstMatch(of: /no guarantee broke in (\d+) runs/)?.1)
            #expect(first.out.contains("go on with --from \(told)\n"), "\(first.out)")
            let second = try ToolTests.onebar(words + ["--from", "1000000"], in: folder)
            #expect(second.status == 0, "\(second.out)\(second.error)")
            let next = try #require(second.out.firstMatch(of: /go on with --from (\d+)/)?.1)
            let runs = try #require(second.out.firstMatch(of: /broke in (\d+) runs/)?.1)
            #expect(Int(next) == Int(runs).map { $0 + 1_000_000 })
            // Swarms alone: no single fault was tried.
            #expect(second.out.contains(" 0 of "), "\(second.out)")
        }
    }

    @Test(arguments: [
        (["hunt"], Int32(64), "nothing to hunt"),
        (["hunt", "messages-and-upload", "--for", "0s"], 64, "write --for 60s"),
        (["hunt", "messages-and-upload", "--for", "x"], 64, "--for: 'x'"),
        (["hunt", "messages-and-upload", "--from", "-1"], 64, "write --from 40000"),
        (["hunt", "messages-and-upload", "--jobs", "0"], 64, "write --jobs 2"),
        (["hunt", "nosuch"], 66, "nosuch"),
        (["replay"], 64, "nothing to replay"),
        (["replay", "nosuch.json"], 66, "there is no plan here"),
    ])
    func `a mistake is told with its remedy`(
        words: [String],
        status: Int32,
        told: String
    ) throws {
        try ToolTests.withFolder { folder in
            let ending = try ToolTests.onebar(words, in: folder)
            #expect(ending.status == status, "\(ending.error)")
            #expect(ending.error.contains(told), "\(ending.error)")
        }
    }
}
