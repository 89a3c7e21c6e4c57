import Foundation
import Testing
import Trace

@testable import CaptureAnalysis

/// Packets beyond those that fit in memory, and packets whose times go back.
@Suite struct PacketCollectorTests {
    /// Packets whose sizes tell in which order they came; times repeat, and go back by up to `back`.
    static func packets(_ count: Int, back: Int64, seed: UInt64) -> [TrafficPacket] {
        var state = seed
        func random(_ bound: Int64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 33) % bound
        }
        var time: Int64 = 1_000
        return (0..<count).map { index in
            time += random(4)
            let size = Int32(index)
            return TrafficPacket(time: time - random(back + 1), .up, size: size, payload: 0)
        }
    }

    /// The oracle: puts each packet behind all that are not later, which keeps equals in their order.
    static func inOrder(_ packets: [TrafficPacket]) -> [TrafficPacket] {
        var ordered: [TrafficPacket] = []
        for packet in packets {
            let place = ordered.lastIndex { $0.time <= packet.time }.map { $0 + 1 } ?? 0
            ordered.insert(packet, at: place)
        }
        return ordered
    }

    @Test(arguments: [1, 4, 7, 64, 1_000], [0, 3, 200] as [Int64])
    func `packets come out in order of time, equals as they came, however few fit in memory`(
        run: Int,
        back: Int64
    ) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            let packets = Self.packets(300, back: back, seed: seed)
            var collector = PacketCollector(ordersByTime: true, run: run)
            for packet in packets { collector.append(packet) }
            let found = try collector.finish()
            #expect(found.count == 300)
            #expect(Array(found) == Self.inOrder(packets))
            #expect(found[123] == Self.inOrder(packets)[123])
            #expect(Array(found.read(17..<290)) == Array(Self.inOrder(packets)[17..<290]))
        }
    }

    @Test func `the order of the file is kept where that is asked for`() throws {
        let packets = Self.packets(5_000, back: 50, seed: 9)
        var collector = PacketCollector(ordersByTime: false, run: 64)
        for packet in packets { collector.append(packet) }
        #expect(Array(try collector.finish()) == packets)
    }

    @Test func `nothing collected is an empty trace`() throws {
        var collector = PacketCollector(ordersByTime: true, run: 4)
        #expect(try collector.finish().isEmpty)
    }

    @Test func `a folder that is not there is told in the system's words`() {
        #expect {
            _ = try PacketFile.Writer(in: "/nowhere/at/all")
        } throws: { error in
            "\(error)".contains("No such file or directory")
        }
    }

    @Test func `moved stretches are merged as if all packets had been sorted`() {
        let packets = Self.packets(400, back: 0, seed: 4)
        let source = TrafficPackets(packets)
        // A stretch moved on, one back past zero, one past the end, and one left out.
        let shifts: [(Range<Int>, Int64?)] = [
            (0..<90, 0), (90..<150, 120), (150..<200, -5_000), (200..<260, 0), (260..<300, nil),
            (300..<350, 1 << 40), (350..<400, 0),
        ]
        let latest: Int64 = 2_000
        var expected: [TrafficPacket] = []
        var cursors: [PacketMerge.Cursor] = []
        for case (let range, let shift?) in shifts {
            cursors.append(PacketMerge.Cursor(source, range, shift: shift, latest: latest))
            for index in range {
                var packet = packets[index]
                packet.time = min(max(0, packet.time + shift), latest)
                expected.append(packet)
            }
        }
        #expect(packets[399].time < latest)
        #expect(Array(PacketMerge(cursors)) == Self.inOrder(expected))
    }
}
