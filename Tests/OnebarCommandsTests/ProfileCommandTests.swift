import Foundation
import OnebarCommands
import Profiles
import Testing

/// `check`, `list`, `explain` and `schema`: what they print where, and how they exit.
@Suite struct ProfileCommandTests {
    /// Runs the tool in an empty folder, with the shipped profiles behind it.
    private func run(_ words: String..., in folder: String = "/nonexistent") -> Result {
        var (out, error) = ("", "")
        let console = Console(
            drawsProgress: false,
            usesColor: false,
            out: { out += $0 },
            error: { error += $0 }
        )
        let context = CommandContext(
            console: console,
            environment: [:],
            executable: "onebar",
            workingDirectory: folder
        )
        let code = FrontDoor.run(words, context)
        return Result(code: code, out: out, error: error)
    }

    private struct Result {
        let code: ExitCode
        let out: String
        let error: String
        var lines: [Substring] { out.split(separator: "\n") }
    }

    private func folder(holding text: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/onebar-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        try text.write(toFile: folder + "/mine.jsonc", atomically: true, encoding: .utf8)
        return folder
    }

    @Test func `check passes a good profile and says so on stderr alone`() {
        let result = run("check", "commute", "textbook/F1")
        #expect(result.code == .pass)
        #expect(result.out.isEmpty)
        #expect(result.error == "2 files: 0 errors, 0 warnings\n")
    }

    @Test func `a quiet check prints problems alone`() {
        let result = run("check", "commute", "--quiet")
        #expect(result.code == .pass)
        #expect(result.out.isEmpty && result.error.isEmpty)
        #expect(run("check", "nothing", "--quiet").out.contains("there is no profile"))
    }

    @Test func `alone, the tool prints twelve lines, each within 80 columns`() {
        let result = run()
        #expect(result.code == .pass)
        let lines = result.out.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 12)
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `help of every command keeps to eighty columns`() {
        for command in FrontDoor.subcommands {
            let help = run("help", command.name)
            guard help.code == .pass else {
                #expect(["worker", "hunt-worker"].contains(command.name))
                continue
            }
            for line in help.lines where !line.hasPrefix("  ") || line.hasPrefix("  --") {
                #expect(line.count <= 80, "\(line)")
            }
        }
    }

    @Test func `words too many and words unknown are refused with a remedy`() {
        for (words, says) in [
            (["doctor", "x"], "'onebar doctor' takes no 'x'"),
            (["man", "x"], "'onebar man' takes no 'x'"),
            (["--versio"], "did you mean 'onebar --version'?"),
            (["help", "rnu"], "did you mean 'onebar run'?"),
            (["completions", "fishh"], "did you mean 'onebar completions fish'?"),
            (["gate", "commute", "--baseline", "none.json"], "no baseline at 'none.json'"),
        ] {
            let result =
                words.count > 3
                ? run(words[0], words[1], words[2], words[3])
                : words.count == 2 ? run(words[0], words[1]) : run(words[0])
            #expect(result.code == (words.count > 3 ? .missingInput : .usage), "\(words)")
            #expect(result.error.contains(says), "\(result.error)")
        }
    }

    @Test func `a profile is explained by what it says of itself`() {
        let result = run("explain", "elevator")
        #expect(result.code == .pass)
        #expect(result.out.hasPrefix("elevator, a profile in "), "\(result.out)")
        #expect(result.lines.count > 1)
    }

    @Test func `a metric of several samples a seed says so`() {
        #expect(run("explain", "push.delay_ms").out.contains("over all samples of all seeds"))
        #expect(run("explain", "push.events").out.contains("over the seeds, one value each"))
    }

    @Test func `packs are listed, and explained with the source of each limit`() {
        #expect(run("list").out.contains("\nbudgets:\n  android-vitals"))
        let pack = run("explain", "android-vitals")
        #expect(pack.code == .pass)
        for text in ["device.wakeups_per_day max <= 240", "vitals.excessivewakeuprate"] {
            #expect(pack.out.contains(text), "\(pack.out)")
        }
        #expect(run("explain", "android-vital").error.contains("did you mean 'android-vitals'?"))
    }

    @Test func `check prints every error with its place and exits 65`() throws {
        let folder = try folder(
            holding: "{\n  \"onebar\": 1,\n  \"extends\": \"commute\",\n  \"tagz\": 1\n}"
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let result = run("check", "mine.jsonc", in: folder)
        #expect(result.code == .badInput)
        #expect(
            result.lines == [
                #"mine.jsonc:4:3: error: unknown key "tagz" in profile (did you mean "tags"?)"#
            ]
        )
    }

    @Test func `check exits 66 when nothing but a file is missing, and 65 when one is wrong`()
        throws
    {
        #expect(run("check", "nowhere.jsonc").code == .missingInput)
        let folder = try folder(holding: "{")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(run("check", "nowhere", "mine.jsonc", in: folder).code == .badInput)
        #expect(run("check").code == .usage)
    }

    @Test func `check takes a warning for an error only when strict`() throws {
        let folder = try folder(
            holding:
                #"{ "onebar": 1, "extends": "textbook/F1", "budgets": { "radio.on_s": "p95 <= 60s" } }"#
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(run("check", "mine.jsonc", in: folder).code == .pass)
        #expect(run("check", "--strict", "mine.jsonc", in: folder).code == .badInput)
    }

    @Test func `list shows profiles with their first line, and presets by kind`() {
        let result = run("list")
        #expect(result.code == .pass)
        #expect(result.lines.first == "profiles:")
        #expect(result.lines.contains { $0.hasPrefix("  commute ") && $0.contains("Front door") })
        #expect(result.lines.contains("  lte                      the same as lte-2012-aro"))
        #expect(run("list", "networks").lines.first == "networks:")
        #expect(run("list", "netwerks").code == .usage)
    }

    @Test func `list by tag prints names alone`() {
        let result = run("list", "--tag", "pr")
        #expect(result.lines.contains("commute"))
        #expect(!result.lines.contains { $0.hasPrefix("textbook/") })
        #expect(run("list", "--tag", "no-such-tag").code == .nothingTested)
    }

    @Test func `explain tells a metric, a guarantee, a radio and a preset`() {
        #expect(run("explain", "radio.energy_j").out.contains("unit         J"))
        #expect(run("explain", "outbox.exactly_once").out.contains("cannot be budgeted"))
        #expect(run("explain", "outbox.lost").out.contains("the guarantee outbox.exactly_once"))
        #expect(run("explain", "lte").out.hasPrefix("lte-2012-aro\n"))
        #expect(run("explain", "nlc-lte").out.contains("unverified   down, up, one_way"))
        #expect(run("explain").lines.contains { $0.hasPrefix("  radio.energy_j ") })
    }

    @Test func `explain names the nearest to what it does not know`() {
        let result = run("explain", "radio.enrgy_j")
        #expect(result.code == .usage)
        #expect(result.error.contains("did you mean 'radio.energy_j'?"))
    }

    @Test func `schema prints what is committed`() {
        #expect(run("schema").out == ProfileSchema.profile.text)
        #expect(run("schema", "network").out == ProfileSchema.network.text)
        #expect(run("schema", "nework").code == .usage)
    }
}
