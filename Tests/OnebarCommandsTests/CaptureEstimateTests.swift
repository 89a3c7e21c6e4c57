import CaptureAnalysis
import NetworkModel
import Profiles
import Quantities
import Testing
import Trace

@testable import OnebarCommands

@Suite struct `Estimate of a link from a capture` {
    private func packet(
        _ milliseconds: Int64,
        _ direction: PacketDirection,
        _ size: Int32,
        _ label: TCPLabel = .data
    ) -> TrafficPacket {
        TrafficPacket(
            time: milliseconds * 1_000_000,
            direction,
            size: size,
            payload: size,
            label: label
        )
    }

    // Handshakes of 80 and 60 ms; 40 packets of 1,500 B within 800 ms, and 5 more that come later: the busiest second has 40 x 12,000 bit = 480 kbit. Upload is too little to tell.
    @Test func `the least handshake and the busiest second count`() {
        var packets = [
            packet(0, .up, 60, .establish), packet(80, .down, 60, .establish),
            packet(100, .up, 60, .establish), packet(160, .down, 60, .establish),
        ]
        packets += (0..<40).map { packet(1_000 + Int64($0) * 20, .down, 1_500) }
        packets += (0..<5).map { packet(3_000 + Int64($0), .down, 1_500) }
        let traffic = Traffic(packets: packets, length: 4_000_000_000)
        let network = CaptureEstimate.estimate(traffic, title: "t")
        #expect(network.oneWay.down + network.oneWay.up == .milliseconds(60))
        #expect(network.down.rate == .constant(.kilobitsPerSecond(480)))
        #expect(network.up.rate == .constant(.unlimited))
        #expect(network.unverified == ["down", "up", "rtt"])
    }
}
