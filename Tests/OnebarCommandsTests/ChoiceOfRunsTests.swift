import Foundation
import Testing

/// `--tag` and `--for`: which profiles run, and how many seeds of them.
@Suite struct ChoiceOfRunsTests {
    private static func profile(tags: String, seeds: String = "3..4") -> String {
        """
        { "onebar": 1, "tags": \(tags), "device": "android-mid", "radio": "lte",
          "network": { "down": "2Mbps", "up": "500kbps", "rtt": "150ms", "loss": "2%" },
          "workload": [{ "do": "message.send", "every": "5s..9s", "count": 4 }],
          "run": { "seeds": "\(seeds)", "settle": "1min" } }
        """
    }

    private func withProfiles(_ body: (URL) throws -> Void) throws {
        try ToolTests.withFolder { folder in
            let profiles = folder.appendingPathComponent("profiles")
            try FileManager.default.createDirectory(
                at: profiles,
                withIntermediateDirectories: true
            )
            for (name, tags) in [
                ("mine-a", #"["own", "slow"]"#), ("mine-b", #""own""#), ("mine-c", #"["other"]"#),
            ] {
                let file = profiles.appendingPathComponent("\(name).jsonc")
                try Data(Self.profile(tags: tags).utf8).write(to: file)
            }
            try body(folder)
        }
    }

    private func profiles(in out: String) throws -> [String] {
        try out.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(object?["profile"] as? String)
        }
    }

    @Test func `a tag runs every profile that has it, after those that are named, each once`()
        throws
    {
        try withProfiles { folder in
            let tagged = try ToolTests.onebar(
                ["run", "--tag", "own", "--json", "--quiet"],
                in: folder
            )
            #expect(tagged.status == 0, "\(tagged.error)")
            #expect(try profiles(in: tagged.out) == ["mine-a", "mine-b"])
            let both = try ToolTests.onebar(
                ["run", "mine-c", "mine-b", "--tag", "own", "--json", "--quiet"],
                in: folder
            )
            #expect(try profiles(in: both.out) == ["mine-c", "mine-b", "mine-a"])
            let listed = try ToolTests.onebar(["list", "--tag", "own"], in: folder)
            #expect(listed.out == "mine-a\nmine-b\n")
        }
    }

    @Test(arguments: ["run", "gate", "list"])
    func `a tag that no profile has tests nothing, and the nearest is told`(command: String) throws
    {
        try withProfiles { folder in
            let ending = try ToolTests.onebar([command, "--tag", "owm"], in: folder)
            #expect(ending.status == 5)
            #expect(ending.error.contains("no profile has the tag 'owm'"))
            #expect(ending.error.contains("did you mean \"own\"?"), "\(ending.error)")
        }
    }

    @Test func `a gate of a tag writes a baseline for each, and then holds them all`() throws {
        try withProfiles { folder in
            let made = try ToolTests.onebar(
                ["gate", "--tag", "own", "--update", "--quiet"],
                in: folder
            )
            #expect(made.status == 0, "\(made.error)")
            let gated = try ToolTests.onebar(
                ["gate", "--tag", "own", "--json", "--quiet", "--for", "1ms"],
                in: folder
            )
            #expect(gated.status == 0, "\(gated.out)\(gated.error)")
            #expect(try profiles(in: gated.out) == ["mine-a", "mine-b"])
        }
    }

    @Test func `with a time, seeds are added from the first on, and give what they give alone`()
        throws
    {
        try withProfiles { folder in
            func seeds(_ words: [String]) throws -> (seeds: [Int], fingerprint: String) {
                let ending = try ToolTests.onebar(
                    ["run", "mine-c", "--json", "--quiet"] + words,
                    in: folder
                )
                #expect(ending.status == 0, "\(ending.error)")
                let object =
                    try JSONSerialization.jsonObject(with: Data(ending.out.utf8)) as? [String: Any]
                let seeds = try #require(object?["seeds"] as? [Int])
                return (seeds, try #require(object?["fingerprint"] as? String))
            }
            let timed = try seeds(["--for", "2s", "--jobs", "2"])
            let last = try #require(timed.seeds.last)
            #expect(timed.seeds == Array(3...last))
            #expect(timed.seeds.count >= 2)
            #expect(try seeds(["--seeds", "3..\(last)"]).fingerprint == timed.fingerprint)
            // More than the profile's two; a range is an upper bound that is kept.
            #expect(try seeds(["--for", "5min", "--seeds", "7..11"]).seeds == Array(7...11))
            // There is always one.
            #expect(try seeds(["--for", "1ms"]).seeds == [3])
        }
    }

    @Test(arguments: [
        (["--for", "soon"], "--for: 'soon'"), (["--for", "0s"], "is no time"),
        (["--for", "9s", "--vary", "app.retry=a,b"], "compares the same ones"),
        (["--for", "9s", "--shard", "1/2"], "'--for' says nothing of a piece"),
    ])
    func `a time that makes no sense is refused`(words: [String], says: String) throws {
        try withProfiles { folder in
            let ending = try ToolTests.onebar(["run", "mine-a"] + words, in: folder)
            #expect(ending.status == 64)
            #expect(ending.error.contains(says), "\(ending.error)")
        }
    }
}
