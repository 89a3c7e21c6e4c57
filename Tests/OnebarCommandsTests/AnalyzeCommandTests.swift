import Foundation
import OnebarCommands
import Testing

/// `onebar analyze`: what it prints where, how it exits, and what it keeps to itself.
@Suite struct AnalyzeCommandTests {
    private struct Result {
        let code: ExitCode
        let out: String
        let error: String
    }

    private final class Folder {
        let path = FileManager.default.temporaryDirectory.path + "/onebar-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true
            )
        }

        func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
            try Data(bytes).write(to: URL(filePath: path + "/" + name))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func run(_ words: [String], in folder: Folder) -> Result {
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
            workingDirectory: folder.path
        )
        return Result(code: FrontDoor.run(["analyze"] + words, context), out: out, error: error)
    }

    /// One uplink packet of 100 B at 5 s in a trace of 30 s: 11.776062712 J on LTE by the closed form
    /// (promotion .3146, transfer .000350712, tail 11.05244, idle .408672).
    private static let list = """
        # trace_s=30
        t,dir,len,payload,tcpinfo
        5.000000,UL,100,60,TCP_DATA

        """

    /// A classic capture with one HTTP request whose query, header and body hold a secret.
    private static func capture(secret: String) -> [UInt8] {
        let text =
            "POST /v1/login?token=\(secret) HTTP/1.1\r\nHost: api.example\r\n"
            + "Authorization: Bearer \(secret)\r\n\r\n{\"password\":\"\(secret)\"}"
        let payload = Array(text.utf8)
        let big = { (value: UInt16) -> [UInt8] in [UInt8(value >> 8), UInt8(value & 0xFF)] }
        let little = { (value: UInt32) -> [UInt8] in
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var packet: [UInt8] = [0x45, 0] + big(UInt16(40 + payload.count))
        packet += [0, 1, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 2, 192, 0, 2, 1]
        packet += big(40_000) + big(80) + [0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x18]
        packet += big(1_000) + [0, 0, 0, 0] + payload
        var file = little(0xA1B2_C3D4) + [2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        file += little(65_535) + little(101)
        for second in [0, 1] as [UInt32] {
            file += little(second) + little(0) + little(UInt32(packet.count))
            file += little(UInt32(packet.count)) + packet
        }
        return file
    }

    @Test func `a packet list gives the closed form's joules in every form of output`() throws {
        let folder = try Folder()
        try folder.write("s01.csv", Self.list.utf8)
        let text = run(["s01.csv"], in: folder)
        #expect(text.code == .pass)
        #expect(text.out.hasPrefix("s01.csv: 11.7761 J on lte-2012-aro (2012, grade A)"))
        #expect(text.error.isEmpty)
        let json = run(["s01.csv", "--json"], in: folder)
        // A run's definitions: the total has idle in it, the radio's energy is what lies beyond.
        #expect(json.out.contains("\"energy.total_j\":11.776062712"))
        #expect(json.out.contains("\"radio.energy_j\":11.367390712"))
        #expect(json.out.split(separator: "\n").count == 1)
        let states = run(["s01.csv", "--states"], in: folder)
        #expect(states.out.contains("1,LTE_PROMOTION,4.740000,5.000000,0.314600000\n"))
        let tool = run(["s01.csv", "--mode", "vo-4.6"], in: folder)
        #expect(tool.out.hasPrefix("s01.csv: 12.7344 J"))
    }

    @Test func `budgets decide the exit code`() throws {
        let folder = try Folder()
        try folder.write("s01.csv", Self.list.utf8)
        try folder.write("good.jsonc", "{ \"radio.energy_j\": \"max <= 12J\" }".utf8)
        try folder.write(
            "bad.jsonc",
            "{ \"budgets\": { \"radio.energy_j\": \"max <= 11J\" } }".utf8
        )
        try folder.write("wrong.jsonc", "{\n  \"radio.energy\": \"max <= 11J\" }".utf8)
        #expect(run(["s01.csv", "--budget", "good.jsonc"], in: folder).code == .pass)
        let broken = run(["s01.csv", "--budget", "bad.jsonc"], in: folder)
        #expect(broken.code == .budgetBroken)
        #expect(broken.out.contains("fail  radio.energy_j max <= 11J: 11.3674"))
        let wrong = run(["s01.csv", "--budget", "wrong.jsonc"], in: folder)
        #expect(wrong.code == .badInput)
        #expect(wrong.error.hasPrefix("wrong.jsonc:2:"))
    }

    @Test func `no output prints a query, a header value or a body`() throws {
        let folder = try Folder()
        let secret = "hunter2secret"
        try folder.write("a.pcap", Self.capture(secret: secret))
        var everything = ""
        for words in [[], ["--json"], ["--bursts"], ["--states"], ["--out", "report"]] {
            let result = run(["a.pcap"] + words, in: folder)
            #expect(result.code == .pass)
            everything += result.out + result.error
        }
        for name in ["report.html", "states.csv", "bursts.csv", "hosts.csv", "run.json"] {
            everything += try String(
                contentsOfFile: "\(folder.path)/report/\(name)",
                encoding: .utf8
            )
        }
        // Words stand on the left, numbers on the right.
        let head = "<th scope=\"col\">kind</th><th scope=\"col\" class=\"n\">times</th>"
        #expect(everything.contains(head))
        #expect(everything.contains("POST /v1/login"))
        #expect(everything.contains("api.example"))
        #expect(!everything.contains(secret))
        #expect(!everything.contains("token="))
        #expect(!everything.contains("Bearer"))
    }

    @Test(arguments: [
        (["missing.pcap"], ExitCode.missingInput, "missing.pcap: error: there is no such file"),
        (["text.pcap"], .badInput, "text.pcap: error: this is no capture"),
        (["empty.pcap"], .badInput, "empty.pcap: error: the file is empty"),
        ([], .usage, "needs one capture"),
        (["s01.csv", "--mode", "magic"], .usage, "there is no mode 'magic'"),
        (["s01.csv", "--radio", "lte-2012-ar"], .missingInput, "lte-2012-aro"),
        (["s01.csv", "--device-address", "1.2.3"], .usage, "no IP address"),
        (["s01.csv", "--mode", "energybox"], .badInput, "does not know the radio"),
        (["s01.csv", "--out", "/proc/nothing"], .cannotWrite, "cannot be written"),
        (["s01.csv", "--app", "Mail", "--colour"], .usage, "no option '--colour'"),
    ])
    func `bad input exits as documented, with a sentence`(
        words: [String],
        code: ExitCode,
        sentence: String
    ) throws {
        let folder = try Folder()
        try folder.write("s01.csv", Self.list.utf8)
        try folder.write("text.pcap", "dear diary".utf8)
        try folder.write("empty.pcap", [])
        let result = run(words, in: folder)
        #expect(result.code == code)
        #expect(result.error.contains(sentence), "\(result.error)")
        #expect(result.out.isEmpty)
    }
}
