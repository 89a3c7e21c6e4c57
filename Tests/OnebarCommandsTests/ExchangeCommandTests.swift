import Foundation
import NetworkModel
import OnebarCommands
import Profiles
import Quantities
import Testing

/// `onebar import` and `onebar export` as a user calls them: stdout, stderr, files, exit codes.
@Suite struct ExchangeCommandTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/onebar-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
    }

    private struct Result {
        let code: ExitCode
        let out: String
        let error: String
    }

    private func run(_ words: String...) -> Result {
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

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }

    // wpt-3g: 1,600 / 768 kbps and 300 ms there and back.
    @Test func `a preset goes out as netem and comes back the same`() throws {
        let exported = run("export", "netem", "wpt-3g", "--out", "up.sh")
        #expect(exported.code == .pass)
        #expect(exported.out.isEmpty)
        #expect(exported.error.contains("note: loss: netem drops before the rate is spent"))
        let imported = run("import", "netem", "up.sh", "--out", "back.jsonc")
        #expect(imported.code == .pass)
        let library = ProfileLibrary(folders: [], workingDirectory: folder)
        let back = try NetworkFile.read("back.jsonc", in: library).conditions.phases[0]
        let shipped = try NetworkFile.read("wpt-3g").conditions.phases[0]
        #expect(back.down == shipped.down)
        #expect(back.up == shipped.up)
        #expect(back.rtt == shipped.rtt)
    }

    @Test func `a file is replaced whole, not written over`() throws {
        try write("up.sh", "before")
        try FileManager.default.linkItem(atPath: folder + "/up.sh", toPath: folder + "/old.sh")
        #expect(run("export", "netem", "wpt-3g", "--out", "up.sh").code == .pass)
        #expect(try String(contentsOfFile: folder + "/old.sh", encoding: .utf8) == "before")
        #expect(try String(contentsOfFile: folder + "/up.sh", encoding: .utf8).contains("netem"))
    }

    @Test func `an imported network stands on stdout, notes on stderr, unless quiet`() throws {
        try write("t.json", #"[{ "type": "bandwidth", "attributes": { "rate": 100 } }]"#)
        let result = run("import", "toxiproxy", "t.json", "--rtt", "80ms")
        #expect(result.code == .pass)
        #expect(result.out.hasPrefix("// Imported from toxiproxy: t.json.\n{\n"))
        // 100 KB/s of 1,000 bytes are 800 kbps.
        #expect(result.out.contains(#""down": "800kbps""#))
        #expect(result.out.contains(#""rtt": "80ms""#))
        #expect(
            result.error == "note: toxiproxy's rate is for each connection, here for all together\n"
        )
        #expect(run("import", "toxiproxy", "t.json", "--quiet").error.isEmpty)
    }

    @Test func `mahimahi's traces are named by the network, and a wrong one by its line`() throws {
        try write("a.down", "3\n9\n")
        try write("a.up", "5\n")
        let result = run(
            "import",
            "mahimahi",
            "a.down",
            "a.up",
            "--out",
            "n.jsonc",
            "--rtt",
            "40ms"
        )
        #expect(result.code == .pass, "\(result.error)")
        let library = ProfileLibrary(folders: [], workingDirectory: folder)
        let phase = try NetworkFile.read("n.jsonc", in: library).conditions.phases[0]
        #expect(phase.down.rate == .opportunities([3, 9]))
        #expect(phase.up.rate == .opportunities([5]))
        let exported = run("export", "mahimahi", "n.jsonc")
        #expect(exported.out == "3\n9\n")
        #expect(
            exported.error.contains("note: run it with: mm-delay 20 mm-link UP.trace DOWN.trace")
        )
        try write("bad.down", "3\n2\n")
        let bad = run("import", "mahimahi", "bad.down")
        #expect(bad.code == .badInput)
        #expect(bad.error.hasPrefix("bad.down:2:1: error: the time stamp 2 comes after 3 ("))
    }

    // 8 Mbit/s down, 2 Mbit/s up and 60 ms, both ways filled for seconds. A second that begins with a packet holds
    // one full packet more than the rate at most: 12 kbit and its link-layer head. A SYN of 74 B takes 0.3 ms up
    // and 0.07 ms down.
    @Test func `a capture of a known link gives its rates and its round trip`() throws {
        try write(
            "link.jsonc",
            """
            {
              "onebar": 1, "device": "android-mid", "radio": "textbook",
              "network": { "over": "wifi", "down": "8Mbps", "up": "2Mbps", "rtt": "60ms" },
              "server": { "images": { "original": { "width": 2000, "height": 1500, "size": "3MB" } } },
              "workload": [
                { "do": "file.upload", "at": "1s", "size": "2MB" },
                { "do": "list.scroll", "at": "40s", "rows": 3, "row_height": 800, "speed": 1000,
                  "picture": { "width": 1080, "height": 810, "distinct": 3, "album": "gallery" } }
              ],
              "run": { "seeds": 1, "for": "60s", "settle": "1min" }
            }
            """
        )
        let ending = try ToolTests.onebar(
            ["run", "link.jsonc", "--pcap", "--out", "r", "--quiet"],
            in: URL(fileURLWithPath: folder)
        )
        #expect(ending.status == 0, "\(ending.out)\(ending.error)")
        let result = run("import", "pcap", "r/link/seed-1.pcapng", "--out", "back.jsonc")
        #expect(result.code == .pass, "\(result.error)")
        #expect(result.error.contains("note: rtt: the least of the TCP handshakes"))
        let library = ProfileLibrary(folders: [], workingDirectory: folder)
        let back = try NetworkFile.read("back.jsonc", in: library).conditions.phases[0]
        func bits(_ rate: RateSchedule) -> Int64 {
            guard case .constant(let rate) = rate else { return 0 }
            return rate.bitsPerSecond
        }
        #expect((7_950_000...8_012_500).contains(bits(back.down.rate)))
        #expect((1_980_000...2_012_500).contains(bits(back.up.rate)))
        #expect((.milliseconds(59)...Duration.milliseconds(61)).contains(back.rtt))
    }

    @Test func `what is wrong, missing or misspelt has its exit code`() throws {
        #expect(run("import", "netem", "nowhere.sh").code == .missingInput)
        #expect(run("import", "nettem", "x").error.contains("did you mean 'netem'?"))
        #expect(run("import", "netem").code == .usage)
        #expect(run("import", "netem", "a", "b").code == .usage)
        try write("bad.sh", "# a comment\ntc qdisc add dev eth0 root netem dellay 3ms\n")
        let bad = run("import", "netem", "bad.sh")
        #expect(bad.code == .badInput)
        #expect(bad.error.hasPrefix("bad.sh:2:1: error: netem has no option 'dellay' (one of: "))
        #expect(run("export", "netem", "wpt-3gg").code == .missingInput)
        #expect(run("export", "nlc", "wpt-3g").code == .usage)
        #expect(run("export", "netem", "wpt-3g", "--phase", "x").code == .usage)
        #expect(run("export", "netem", "wpt-3g", "--out", "no/such/folder/f").code == .cannotWrite)
        #expect(run("export", "mahimahi", "ideal").code == .badInput)
    }

    @Test func `a profile's phase is exported by its name`() {
        let tunnel = run("export", "devtools", "commute", "--phase", "tunnel")
        #expect(tunnel.code == .pass)
        #expect(tunnel.out != run("export", "devtools", "commute").out)
        #expect(run("export", "devtools", "commute").error.contains("note: phases: only"))
    }

    // MARK: tc itself

    /// Runs a command in a network namespace of its own; nil where that is not allowed.
    private static func inNamespace(_ command: String) -> (status: Int32, error: String)? {
        let unshare = ["/usr/bin/unshare", "/bin/unshare"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        guard let unshare else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: unshare)
        process.arguments = ["-n", "sh", "-c", command]
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let error = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, error)
    }

    private static let hasTC = inNamespace("tc -Version")?.status == 0

    // tc parses a command wholly before the kernel sees it. A kernel without netem then says that the
    // kind is unknown; a mistake in the command is tc's own complaint.
    @Test(.enabled(if: hasTC, "tc cannot be run in a network namespace of its own here"))
    func `tc takes every command that is exported`() throws {
        func complaint(_ options: String) -> String? {
            let result = Self.inNamespace("tc qdisc replace dev lo root \(options)")
            let error = result?.error ?? "not run"
            let isUnknownKind = error.contains("qdisc kind is unknown")
            return result?.status == 0 || isUnknownKind ? nil : error
        }
        #expect(complaint("netem dellay 3ms") != nil)
        #expect(complaint("netem limit 10 delay 3ms loss gemodel x") != nil)
        try write(
            "ge.jsonc",
            """
            { "onebar": 1, "rtt": "81ms", "jitter": "7ms", "down": { "rate": "8Mbps", "loss":
              { "model": "gilbert-elliott", "good": "12s", "bad": "300ms", "loss_in_bad": "80%" } },
              "up": { "rate": "1Mbps", "loss": { "model": "gilbert-elliott", "to_bad": "1%",
              "to_good": "20%", "loss_in_good": "0.1%" } } }
            """
        )
        for network in [
            "wpt-3g", "nlc-very-bad", "android-edge", "train-tunnel", "ideal", "ge.jsonc",
        ] {
            let script = run("export", "netem", network, "--quiet").out
            let commands = script.split(separator: "\n").filter { $0.contains(" root netem ") }
            #expect(commands.count == 2, "\(network)")
            for command in commands {
                let options = command.drop { $0 != "r" }.split(separator: "root ").last ?? ""
                #expect(complaint(String(options)) == nil, "\(network): \(options)")
            }
        }
    }
}
