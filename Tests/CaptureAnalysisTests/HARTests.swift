import CaptureAnalysis
import Foundation
import PacketCapture
import Testing
import Trace

/// HAR files: requests as their packets would be, periods and advice out of them.
@Suite struct HARTests {
    private func analyze(_ json: String) throws -> (CaptureInput, CaptureReport) {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "onebar-\(UUID().uuidString).har").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(json.utf8).write(to: URL(filePath: path))
        let input = try CaptureInput.read(path: path, options: CaptureOptions())
        let analyzer = CaptureAnalyzer(radio: try GoldenFiles.radio("lte-2012-aro"))
        return (input, try analyzer.analyze(input, path: "a.har", options: CaptureOptions()))
    }

    private func entry(_ time: String, _ url: String, up: Int = 0, down: Int = 0) -> String {
        """
        {"startedDateTime":"\(time)","time":100,
         "request":{"method":"GET","url":"\(url)","headersSize":200,"bodySize":\(up)},
         "response":{"headersSize":100,"bodySize":\(down)},
         "timings":{"blocked":-1,"dns":-1,"connect":-1,"send":0,"wait":80,"receive":20}}
        """
    }

    @Test func `a request becomes its segments and their acknowledgements`() throws {
        // Up: 200 B of head in one segment, acknowledged. Down after 80 ms: 100 + 2,820 B are exactly
        // two segments of 1,460 B over 20 ms, the second acknowledged.
        let json = entry("2026-01-02T03:04:05.500Z", "https://api.example/a?x=1", down: 2_820)
        let (input, report) = try analyze("{\"log\":{\"entries\":[\(json)]}}")
        let packets = input.traffic.packets
        #expect(packets.map(\.time) == [0, 0, 80_000_000, 100_000_000, 100_000_000])
        #expect(packets.map(\.direction) == [.up, .down, .down, .down, .up])
        #expect(packets.map(\.size) == [240, 40, 1_500, 1_500, 40])
        #expect(input.traffic.length == 100_000_000)
        #expect(report.hosts.map(\.host) == ["api.example"])
        #expect(report.hosts[0].paths.map(\.path) == ["GET /a"])
    }

    @Test func `a poll every minute is found, and doubling its period saves what it would`() throws
    {
        // Ten polls 60 s apart. The tail is 10.12 s, so each is a wake-up of its own; without every
        // second one the capture has five fewer: five promotions of 0.3146 J and five tails of
        // 11.05244 J less (less what idling draws instead, 20 mW).
        let entries = (0..<10).map {
            entry("2026-01-02T03:\(10 + $0):00.000Z", "https://api.example/p")
        }
        let (_, report) = try analyze("{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}")
        #expect(report.periods.count == 1)
        #expect(report.periods[0].host == "api.example")
        #expect(abs(report.periods[0].period.components.seconds - 60) <= 1)
        #expect(report.periods[0].count == 10)
        #expect(report.bursts.count { $0.burst.category == .periodical } == 10)
        let advice = try #require(report.advice.first { $0.message.contains("every 2 min") })
        // The last poll is dropped with the tail that the end cuts off, so four tails are whole.
        #expect(advice.savedJoules > 4 * 11.05 && advice.savedJoules < 5 * 11.5)
        #expect(report.findings.contains { $0.rule == "periodic transfers" && $0.verdict == .fail })
    }

    @Test func `JSON that is no HAR is refused`() {
        #expect {
            try analyze("{\"a\":1}")
        } throws: { error in
            "\(error)".contains("no HAR")
        }
    }
}
