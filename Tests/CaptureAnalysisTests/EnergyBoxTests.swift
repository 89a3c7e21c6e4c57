import CaptureAnalysis
import Foundation
import PacketCapture
import PhoneModel
import Quantities
import Testing

/// EnergyBox's own capture and expected lists; skipped where the shared folder is not there.
@Suite struct EnergyBoxTests {
    static let folder = GoldenFiles.sharedData("energybox")

    private func input(_ mode: AnalysisMode) throws -> CaptureInput {
        var options = CaptureOptions()
        options.mode = mode
        options.deviceAddresses = [try #require(IPAddress(text: "90.235.80.224"))]
        return try CaptureInput.read(
            path: "\(try #require(Self.folder))/test1.pcap",
            options: options
        )
    }

    private func expectPoints(_ radio: String, oracle: String, joules: Double) throws {
        let traffic = try input(.energybox).traffic
        #expect(traffic.packets.count == 177)
        let points = StateAnalysis(try GoldenFiles.radio(radio), mode: .energybox)
            .energyBoxPoints(traffic)
        let text = try String(
            contentsOfFile: "\(try #require(Self.folder))/\(oracle)",
            encoding: .utf8
        )
        let lines = text.split(whereSeparator: \.isNewline)
        #expect(points.count == lines.count)
        for (point, line) in zip(points, lines) {
            let fields = line.split(separator: ",")
            #expect("\(point.state)" == fields[0], "\(line)")
            #expect(abs(point.time - (Double(fields[1]) ?? -1)) < 1e-5, "\(line)")
        }
        let total = StateAnalysis(try GoldenFiles.radio(radio), mode: .energybox)
            .energyBoxJoules(traffic)
        #expect(abs(total - joules) < 1e-4)
    }

    @Test(.enabled(if: folder != nil, "the shared folder with EnergyBox's data is not there"))
    func `3G equals EnergyBox's list line by line and its 151.5161 J`() throws {
        try expectPoints("umts-2014-energybox", oracle: "test1_3g.csv", joules: 151.5161)
    }

    @Test(.enabled(if: folder != nil, "the shared folder with EnergyBox's data is not there"))
    func `Wi-Fi equals EnergyBox's list line by line and its 14.0383 J`() throws {
        try expectPoints("wifi-2014-energybox", oracle: "test1_wifi.csv", joules: 14.0383)
    }

    @Test(.enabled(if: folder != nil, "the shared folder with EnergyBox's data is not there"))
    func `the capture reads as the packet list that was made from it`() throws {
        guard let expected = try GoldenFiles.traffic(GoldenFiles.shared) else { return }
        let found = try input(.exact).traffic
        #expect(found.length == expected.length)
        #expect(found.packets.count == expected.packets.count)
        for (packet, other) in zip(found.packets, expected.packets) {
            #expect(packet.time == other.time)
            #expect(packet.direction == other.direction)
            #expect(packet.size == other.size)
            #expect(packet.payload == other.payload)
        }
    }

    @Test(.enabled(if: folder != nil, "the shared folder with EnergyBox's data is not there"))
    func `the device is found without being named`() throws {
        let input = try CaptureInput.read(
            path: "\(try #require(Self.folder))/test1.pcap",
            options: CaptureOptions()
        )
        #expect(input.deviceAddresses.map(\.description) == ["90.235.80.224"])
    }
}
