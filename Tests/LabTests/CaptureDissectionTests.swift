import Foundation
import Lab
import Measurements
import Profiles
import SimulationKernel
import Testing
import Trace

/// What another program makes of a written capture; skipped where tshark is not installed.
@Suite(.enabled(if: Dissector.path != nil, "tshark is not installed"))
struct CaptureDissectionTests {
    /// What tshark calls expert information about each packet, as it prints names.
    private static func complaints(_ scenario: Scenario, seed: UInt64) throws -> [[String]] {
        try HashingCheck.require(line: "scripts/test")
        var lines: [[String]] = []
        try TemporaryFolder.with { folder in
            let path = folder.appendingPathComponent("x.pcapng").path
            var options = SeedRunner.Options()
            options.capture = .init(path: path)
            _ = try SeedRunner(scenario: scenario).run(seed: seed, options: options)
            lines = try Dissector.expertMessages(of: path)
        }
        return lines
    }

    /// Chats of TCP that say what a packet is, not that something is wrong with it.
    private static let chats = [
        "Connection establish", "Connection finish", "Connection reset", "This frame initiates",
        "This frame undergoes", "TCP window update",
    ]
    /// What TCP does about a loss.
    private static let recovery = [
        "retransmission", "out-of-order", "Duplicate ACK", "Previous segment(s) not captured",
    ]

    @Test func `without loss nothing is malformed, mis-summed or out of order`() throws {
        let scenario = try LabRuns.testScenario("short")
        let all = try Self.complaints(scenario, seed: 3)
        #expect(all.count > 200, "packets")
        let odd = all.joined().filter { text in
            !text.isEmpty && !Self.chats.contains { text.hasPrefix($0) }
        }
        #expect(odd.isEmpty, "\(odd.prefix(3))")
    }

    /// QUIC's payload is noise, for it is encrypted: whoever tries the keys of the first packets says that.
    private static let encrypted = ["ecrypt", "Missing TLS handshake", "ciphers or padding"]

    // Handshake, resumed handshakes with early data, loss, a change of address in the middle of an upload. After
    // that, the connection has IDs that were told under encryption: to whoever has no keys it is UDP.
    @Test func `a capture of HTTP_3 is QUIC, and nothing in it is malformed`() throws {
        var all: [[String]] = []
        var names: [String] = []
        try TemporaryFolder.with { folder in
            let text = """
                {
                  "onebar": 1, "device": "android-mid", "radio": "textbook",
                  "network": {
                    "transport": { "http": "h3", "resumption": true, "early_data": true },
                    "phases": [
                      { "over": "wifi", "for": "20s", "down": "8Mbps", "up": "1Mbps", "rtt": "40ms",
                        "loss": "1%" },
                      { "over": "cellular", "handover": { "gap": "500ms" },
                        "down": "8Mbps", "up": "1Mbps", "rtt": "80ms", "loss": "1%" }
                    ]
                  },
                  "workload": [
                    { "do": "message.send", "at": "1s", "size": "2KiB" },
                    { "do": "file.upload", "at": "18s", "size": "900kB" },
                    { "do": "message.send", "at": "3min", "size": "2KiB" }
                  ],
                  "run": { "seeds": 1, "for": "5min", "settle": "1min" }
                }
                """
            let file = folder.appendingPathComponent("http3.jsonc")
            try Data(text.utf8).write(to: file)
            let scenario = try ScenarioReader.scenario(file.path)
            all = try Self.complaints(scenario, seed: 2)
            let path = folder.appendingPathComponent("names.pcapng").path
            var options = SeedRunner.Options()
            options.capture = .init(path: path)
            _ = try SeedRunner(scenario: scenario).run(seed: 2, options: options)
            names = try Dissector.field("_ws.col.Protocol", of: path)
        }
        #expect(names.count > 500, "packets")
        #expect(names.prefix(200).allSatisfy { $0 == "QUIC" })
        #expect(Set(names) == ["QUIC", "UDP"], "\(Set(names))")
        let odd = all.joined().filter { text in
            !text.isEmpty && !Self.encrypted.contains { text.contains($0) }
        }
        #expect(odd.isEmpty, "\(odd.prefix(3))")
    }

    @Test func `with loss there is nothing but what recovers from it`() throws {
        var all: [[String]] = []
        try TemporaryFolder.with { folder in
            let scenario = try CaptureTests.scenario("umts-2010-aro-i997", in: folder)
            all = try Self.complaints(scenario, seed: 2)
        }
        #expect(all.count > 500, "packets")
        #expect(all.joined().contains { $0.contains("retransmission") }, "1 % is lost")
        let odd = all.joined().filter { text in
            !text.isEmpty && !Self.chats.contains { text.hasPrefix($0) }
                && !Self.recovery.contains { text.contains($0) }
        }
        #expect(odd.isEmpty, "\(odd.prefix(3))")
    }
}

/// tshark, if it is there.
private enum Dissector {
    static let path = ["/usr/bin/tshark", "/usr/local/bin/tshark", "/opt/homebrew/bin/tshark"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The expert messages of each packet, with every check sum checked.
    static func expertMessages(of capture: String) throws -> [[String]] {
        try field("_ws.expert.message", of: capture).map {
            $0.split(separator: ",").map(String.init)
        }
    }

    /// One field of each packet.
    static func field(_ name: String, of capture: String) throws -> [String] {
        let output = capture + ".txt"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path ?? "")
        process.arguments = [
            "-r", capture, "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE",
            "-o", "udp.check_checksum:TRUE", "-T", "fields", "-e", name,
        ]
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }
}
