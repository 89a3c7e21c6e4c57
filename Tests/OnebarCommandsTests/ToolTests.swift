import Foundation
import Testing

/// The tool as its user calls it: a process with arguments, output and an exit code.
@Suite struct ToolTests {
    struct Ending: Sendable {
        let status: Int32
        let out: String
        let error: String
    }

    /// The tool that was built with these tests.
    static var tool: URL {
        #if os(Linux)
        if let path = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/exe"
        ) {
            return URL(fileURLWithPath: path).deletingLastPathComponent()
                .appendingPathComponent("onebar")
        }
        #endif
        let folder = Bundle.main.executableURL?.deletingLastPathComponent()
        return (folder ?? URL(fileURLWithPath: ".")).appendingPathComponent("onebar")
    }

    /// Runs the tool that was built with these tests.
    static func onebar(_ arguments: [String], in folder: URL) throws -> Ending {
        let out = folder.appendingPathComponent("stdout-\(UUID().uuidString)")
        let error = folder.appendingPathComponent("stderr-\(UUID().uuidString)")
        let process = try started(arguments, in: folder, out: out, error: error)
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus,
            out: try String(contentsOf: out, encoding: .utf8),
            error: try String(contentsOf: error, encoding: .utf8)
        )
    }

    /// Starts the tool that was built with these tests; what it says goes to files or nowhere.
    static func started(
        _ arguments: [String],
        in folder: URL,
        out: URL? = nil,
        error: URL? = nil
    ) throws -> Process {
        let process = Process()
        for file in [out, error].compactMap({ $0 }) { try Data().write(to: file) }
        process.executableURL = tool
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = try out.map { try FileHandle(forWritingTo: $0) } ?? .nullDevice
        process.standardError = try error.map { try FileHandle(forWritingTo: $0) } ?? .nullDevice
        try process.run()
        return process
    }

    static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("onebar-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func `one job and two give the same files, in three processes`() throws {
        try Self.withFolder { folder in
            var files: [[String: Data]] = []
            for (index, jobs) in ["1", "1", "2"].enumerated() {
                let ending = try Self.onebar(
                    ["run", "commute", "--seeds", "1..2", "--jobs", jobs, "--out", "r\(index)"],
                    in: folder
                )
                #expect(ending.status == 0 || ending.status == 1, "\(ending.error)")
                let report = folder.appendingPathComponent("r\(index)/commute")
                var found: [String: Data] = [:]
                for name in ["run.json", "metrics.csv", "budgets.csv", "report.html"] {
                    found[name] = try Data(contentsOf: report.appendingPathComponent(name))
                }
                files.append(found)
            }
            #expect(files[0] == files[1])
            #expect(files[0] == files[2])
        }
    }

    @Test func `a run's packets are written beside its report and can be analysed`() throws {
        try Self.withFolder { folder in
            let run = try Self.onebar(
                ["run", "airplane-mode", "--seeds", "3..4", "--pcap", "--out", "r", "--quiet"],
                in: folder
            )
            #expect(run.status == 0 || run.status == 1, "\(run.error)")
            let capture = "r/airplane-mode/seed-4.pcapng"
            let analysis = try Self.onebar(["analyze", capture], in: folder)
            #expect(analysis.status == 0, "\(analysis.error)")
            #expect(analysis.out.contains("on lte-2012-aro (2012, grade A)"))
            #expect(analysis.out.contains("api.onebar.test"))
            let textbook = try Self.onebar(["run", "textbook/F1", "--pcap"], in: folder)
            #expect(textbook.error.contains("declares radio activity, which no packet carries"))
        }
    }

    @Test func `a run's trace for Perfetto is the same to the byte each time`() throws {
        try Self.withFolder { folder in
            var traces: [Data] = []
            for out in ["a", "b"] {
                let ending = try Self.onebar(
                    ["run", "messages-and-upload", "--seeds", "1", "--perfetto", "--out", out],
                    in: folder
                )
                #expect([0, 1, 3].contains(ending.status), "\(ending.error)")
                traces.append(
                    try Data(
                        contentsOf: folder.appendingPathComponent(
                            "\(out)/messages-and-upload/seed-1.perfetto-trace"
                        )
                    )
                )
            }
            #expect(traces[0] == traces[1])
            #expect(traces[0].count > 10_000)
        }
    }

    @Test(arguments: [
        ("phone-fleet", "--perfetto", "phone-fleet has many phones, and a trace is of one"),
        ("thundering-herd", "--perfetto", "thundering-herd has callers and no phone"),
        ("thundering-herd", "--pcap", "the callers of thundering-herd send no packets"),
    ])
    func `what a crowd cannot give is refused before anything runs`(
        profile: String,
        option: String,
        says: String
    ) throws {
        try Self.withFolder { folder in
            let ending = try Self.onebar(
                ["run", "two-messages", profile, option, "--seeds", "1", "--out", "r"],
                in: folder
            )
            #expect(ending.status == 64)
            #expect(ending.error.contains(says), "\(ending.error)")
            let out = folder.appendingPathComponent("r").path
            #expect(!FileManager.default.fileExists(atPath: out))
        }
    }

    @Test func `every seed twice is the same, event by event`() throws {
        try Self.withFolder { folder in
            let ending = try Self.onebar(
                ["run", "textbook/F1", "--verify", "--out", "r"],
                in: folder
            )
            #expect(ending.status == 0, "\(ending.out)\(ending.error)")
            #expect(ending.error.contains("F1: the seed run again in another process: the same"))
        }
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        let says: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let mistakes = [
        Mistake(arguments: ["rnu"], status: 64, says: ["'rnu'", "'onebar run'"]),
        Mistake(arguments: ["run"], status: 64, says: ["nothing to run"]),
        Mistake(arguments: ["run", "commute", "--sedes", "1"], status: 64, says: ["--seeds"]),
        Mistake(arguments: ["run", "commute", "--seeds", "9..2"], status: 64, says: ["2..9"]),
        Mistake(arguments: ["run", "commute", "--jobs", "0"], status: 64, says: ["--jobs"]),
        Mistake(arguments: ["run", "no-such-profile"], status: 66, says: ["no-such-profile"]),
        Mistake(
            arguments: ["run", "textbook/F1", "--out", "/dev/null/x"],
            status: 73,
            says: ["/dev/null/x", "--out"]
        ),
    ]

    @Test(arguments: mistakes)
    func `a mistake ends with its code and says what to do`(mistake: Mistake) throws {
        try Self.withFolder { folder in
            let ending = try Self.onebar(mistake.arguments, in: folder)
            #expect(ending.status == mistake.status, "\(ending.error)")
            #expect(ending.out.isEmpty, "errors go to stderr")
            for text in mistake.says {
                #expect(ending.error.contains(text), "\(ending.error)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.allSatisfy { $0.hasPrefix("std") }, "left behind: \(left)")
        }
    }

    @Test func `a profile with a mistake is refused with place and remedy, and leaves no report`()
        throws
    {
        try Self.withFolder { folder in
            let profile = folder.appendingPathComponent("mine.jsonc")
            let text = """
                {
                  "onebar": 1,
                  "device": "android-mid",
                  "radio": "textbook",
                  "network": { "over": "cellular", "down": "12Mbps", "up": "3Mbps", "rtt": "2m" },
                  "workload": [{ "do": "message.send", "evry": "3s", "count": 2, "size": "15mbps" }]
                }
                """
            try Data(text.utf8).write(to: profile)
            let ending = try Self.onebar(["run", "mine.jsonc", "--out", "r"], in: folder)
            #expect(ending.status == 65)
            #expect(ending.error.contains("mine.jsonc:5:"), "\(ending.error)")
            #expect(ending.error.contains("mine.jsonc:6:"), "\(ending.error)")
            #expect(ending.error.contains("evry"))
            let report = folder.appendingPathComponent("r/mine").path
            #expect(!FileManager.default.fileExists(atPath: report))
        }
    }

    @Test func `help names every subcommand and every exit code`() throws {
        try Self.withFolder { folder in
            let help = try Self.onebar(["--help"], in: folder)
            #expect(help.status == 0)
            for word in ["run", "check", "list", "explain", "schema", "doctor"] {
                #expect(help.out.contains("\n  \(word)"), "\(word)")
            }
            for code in ["64", "65", "66", "70", "73", "130"] { #expect(help.out.contains(code)) }
            let bare = try Self.onebar([], in: folder)
            #expect(bare.out.split(separator: "\n").count <= 14)
        }
    }
}
