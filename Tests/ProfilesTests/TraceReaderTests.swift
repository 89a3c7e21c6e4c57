import Foundation
import NetworkModel
import Profiles
import Quantities
import Testing

/// Recordings of a link's rate: what they mean, and that every mistake has its line and its remedy.
@Suite struct TraceReaderTests {
    private func read(_ text: String) throws -> RateSchedule {
        try TraceReader.schedule(bytes: Array(text.utf8), path: "x.mahi")
    }

    private func problems(_ text: String) -> [String] {
        do throws(ProfileError) {
            _ = try TraceReader.schedule(bytes: Array(text.utf8), path: "x.mahi")
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `milliseconds are opportunities, with or without a last line break`() throws {
        #expect(try read("0\n48\n57\n57\n") == .opportunities([0, 48, 57, 57]))
        #expect(try read("1") == .opportunities([1]))
    }

    // The last rate holds as long as the one before it: 0.88 s - 0.55 s = 0.33 s, so the period is 1.21 s.
    @Test(arguments: [",", "\t", " "]) func `seconds and Mbps are rates`(separator: String) throws {
        let text = ["0.0|4.03768755221", "0.55|4.5", "0.88|0"].map {
            $0.replacingOccurrences(of: "|", with: separator)
        }
        #expect(
            try read(text.joined(separator: "\n") + "\n")
                == .repeatedSteps(
                    [
                        .init(from: .zero, rate: BitRate(bitsPerSecond: 4_037_687)),
                        .init(from: .milliseconds(550), rate: BitRate(bitsPerSecond: 4_500_000)),
                        .init(from: .milliseconds(880), rate: BitRate(bitsPerSecond: 0)),
                    ],
                    period: .milliseconds(1_210)
                )
        )
        #expect(try read("0\(separator)2.5") == .constant(BitRate(bitsPerSecond: 2_500_000)))
    }

    @Test(arguments: [
        (
            "5\n9\n7\n12\n",
            "x.mahi:3:1: error: the time stamp 7 comes after 9 "
                + "(time stamps never decrease; sort the file or cut it here)"
        ),
        ("5\n\n7\n", "x.mahi:2:1: error: the line is blank (remove it)"),
        ("5\n7\n\n", "x.mahi:3:1: error: the line is blank (remove it)"),
        (
            "0\n0\n",
            "x.mahi:2:1: error: the last time stamp is 0, and it is the trace's period "
                + "(end with the millisecond at which the trace begins again)"
        ),
        (
            "5\n7.5\n9\n",
            "x.mahi:2:1: error: '7.5' is not a whole number "
                + "(write whole milliseconds; a time and a rate stand as 'seconds,Mbps')"
        ),
        (
            "5\r\n7\r\n",
            "x.mahi:1:1: error: the line ends with CR LF "
                + "(end lines with LF alone: sed -i 's/\\r$//' x.mahi)"
        ),
        (
            "",
            "x.mahi: error: the trace is empty "
                + "(write one delivery opportunity a line, in milliseconds)"
        ),
        (
            "-3\n7\n",
            "x.mahi:1:1: error: '-3' is not a time stamp in milliseconds "
                + "(write digits only, 0 to 1000000000000; no header, no comment)"
        ),
        (
            "7\n99999999999999999999\n",
            "x.mahi:2:1: error: '99999999999999999999' is not a time stamp in milliseconds "
                + "(write digits only, 0 to 1000000000000; no header, no comment)"
        ),
        (
            "0,1\n2,3\n2,4\n",
            "x.mahi:3:1: error: the time stamp 2 s does not come after 2 s "
                + "(each line is later than the one above it; sort the file or cut it here)"
        ),
        (
            "1,2\n2,3\n",
            "x.mahi:1:1: error: the trace begins at 1 s "
                + "(let the first line be at 0: subtract its time stamp from all)"
        ),
        (
            "time,Mbps\n0,1\n",
            "x.mahi:1:1: error: 'time' is not a time in seconds "
                + "(write a decimal of 0 or more, such as 12.5; no header, no comment)"
        ),
        (
            "0,1\n1,-2\n",
            "x.mahi:2:1: error: '-2' is not a rate in Mbps "
                + "(write a decimal of 0 or more, such as 4.04)"
        ),
        ("0,1,2\n", "x.mahi:1:1: error: '0,1,2' has 3 columns (write two: seconds, then Mbps)"),
        (
            "0,0\n1,0\n",
            "x.mahi: error: every rate is 0: nothing ever passes (write at least one rate above 0)"
        ),
    ])
    func `a mistake is refused with its line and a remedy`(text: String, message: String) {
        #expect(problems(text) == [message])
    }

    @Test func `all mistakes come at once, up to twenty`() {
        #expect(problems("5\nx\n3\n\n9\n").count == 3)
        #expect(problems(String(repeating: "x\n", count: 500)).count == 20)
    }

    // MARK: In a network

    private static let network = """
        { "onebar": 1, "source": "made up", "down": { "trace": "traces/a.mahi", "queue": 7 },
          "up": { "trace": "traces/b.csv" }, "rtt": "50ms", "jitter": "5ms", "reorder": true }
        """

    private func fixture(network: String = network) throws -> ProfileFixture {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro", "network": "drive",
              \(ProfileFixture.workload) }
            """
        )
        try fixture.write("profiles/networks/drive.jsonc", network)
        try fixture.write("profiles/networks/traces/a.mahi", "3\n9\n")
        try fixture.write("profiles/networks/traces/b.csv", "0,2\n10,3\n")
        return fixture
    }

    @Test func `a network names traces beside it, and they count as parts of the profile`() throws {
        let fixture = try fixture()
        let scenario = try ScenarioReader.scenario("p", in: fixture.library)
        let phase = scenario.conditions.network.conditions.phases[0]
        #expect(phase.down == LinkDirection(rate: .opportunities([3, 9]), queue: 7))
        #expect(
            phase.up.rate
                == .repeatedSteps(
                    [
                        .init(from: .zero, rate: .megabitsPerSecond(2)),
                        .init(from: .seconds(10), rate: .megabitsPerSecond(3)),
                    ],
                    period: .seconds(20)
                )
        )
        #expect(phase.reorders)
        let digest = scenario.closure.digest
        try fixture.write("profiles/networks/traces/a.mahi", "3\n8\n")
        #expect(try ScenarioReader.scenario("p", in: fixture.library).closure.digest != digest)
    }

    @Test func `mistakes in a trace are told with the trace's own lines`() throws {
        let fixture = try fixture()
        try fixture.write("profiles/networks/traces/a.mahi", "3\n2\n")
        #expect(
            fixture.messages() == [
                "profiles/networks/traces/a.mahi:2:1: error: the time stamp 2 comes after 3 "
                    + "(time stamps never decrease; sort the file or cut it here)"
            ]
        )
    }

    @Test func `a trace that is not there and one beside a rate are refused`() throws {
        let text = """
            { "onebar": 1, "source": "s", "rtt": "1ms",
              "down": { "trace": "nowhere.mahi" },
              "up": { "rate": "1Mbps", "trace": "traces/a.mahi" } }
            """
        #expect(
            try fixture(network: text).messages() == [
                #"profiles/networks/drive.jsonc:2:22: error: there is no trace "nowhere.mahi" "#
                    + "(put the file beside the network; the path is taken from there)",
                #"profiles/networks/drive.jsonc:3:11: error: "rate" and "trace" are both there "#
                    + "(keep one; a trace is the rate over time)",
            ]
        )
    }

    // MARK: Real recordings

    private static let data: String? = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("shared/data").path
            if FileManager.default.fileExists(atPath: candidate) { return candidate }
        }
        return nil
    }()

    // Lines, seconds and mean Mbps as counted by wc and awk when the recordings were collected
    // (research/network.md, 5.1).
    @Test(
        .enabled(if: data != nil, "../shared/data is not there"),
        arguments: [
            ("ATT-LTE-driving-2016.down", 45_604, 120.0, 4.56),
            ("ATT-LTE-driving-2016.up", 19_101, 120.0, 1.91),
            ("Verizon-EVDO-driving.down", 46_065, 1_062.0, 0.52),
            ("Verizon-LTE-short.up", 69_367, 140.0, 5.95),
        ]
    )
    func `mahimahi's recordings read`(
        name: String,
        lines: Int,
        seconds: Double,
        mean: Double
    ) throws {
        let path = try #require(Self.data) + "/mahimahi/\(name)"
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        let schedule = try TraceReader.schedule(bytes: bytes, path: name)
        guard case .opportunities(let instants) = schedule else {
            Issue.record("\(schedule)")
            return
        }
        #expect(instants.count == lines)
        let period = Double(instants.last ?? 0) / 1_000
        #expect(abs(period - seconds) < 0.05)
        #expect(abs(Double(lines) * 12_000 / period / 1e6 - mean) < 0.005)
    }

    // The first three lines of norway_bus_1 are 0.0 4.03768755221, 0.549999952316 4.79283060109 and
    // 0.879999876022 4.49231799163, cut to nanoseconds and bits here.
    @Test(.enabled(if: data != nil, "../shared/data is not there"))
    func `Norway's recordings read`() throws {
        for name in ["norway_bus_1", "norway_bus_10", "norway_train_1"] {
            let path = try #require(Self.data) + "/norway-hsdpa/\(name)"
            let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
            let schedule = try TraceReader.schedule(bytes: bytes, path: name)
            guard case .repeatedSteps(let steps, let period) = schedule else {
                Issue.record("\(schedule)")
                return
            }
            #expect(period > .seconds(60))
            guard name == "norway_bus_1" else { continue }
            #expect(steps[1].from == .nanoseconds(549_999_952))
            #expect(steps.prefix(3).map(\.rate.bitsPerSecond) == [4_037_687, 4_792_830, 4_492_317])
        }
    }
}
