import Foundation
import Testing

@testable import CaptureAnalysis

/// A capture that does not fit in memory is told like one that does.
@Suite struct BoundedMemoryTests {
    /// A pcap of raw IP: bursts of UDP to four hosts, some polled each 30 s, times going back within a burst.
    static func capture() -> Data {
        var data = Data()
        func little(_ value: UInt32) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        for value in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65_535, 101] as [UInt32] { little(value) }
        func packet(_ microseconds: Int, host: UInt8, isUp: Bool, payload: Int) {
            little(UInt32(microseconds / 1_000_000))
            little(UInt32(microseconds % 1_000_000))
            let size = 28 + payload
            little(UInt32(size))
            little(UInt32(size))
            let (phone, server): ([UInt8], [UInt8]) = ([10, 0, 0, 2], [192, 0, 2, host])
            data.append(contentsOf: [0x45, 0, UInt8(size >> 8), UInt8(size & 255)])
            data.append(contentsOf: [0, 0, 0, 0, 64, 17, 0, 0])
            data.append(contentsOf: isUp ? phone + server : server + phone)
            let ports: [UInt8] = [0x9c, 0x40, 0x01, 0xbb]
            data.append(contentsOf: isUp ? ports : [ports[2], ports[3], ports[0], ports[1]])
            data.append(contentsOf: [UInt8((8 + payload) >> 8), UInt8((8 + payload) & 255), 0, 0])
            data.append(Data(count: payload))
        }
        for burst in 0..<60 {
            let start = 1_000_000 + burst * 15_000_000
            let host = burst % 2 == 0 ? UInt8(1) : UInt8(2 + burst / 2 % 3)
            for index in 0..<(10 + burst % 7) {
                // Every third packet is stamped before the one that precedes it.
                let time = start + index * 20_000 - (index % 3 == 2 ? 30_000 : 0)
                packet(time, host: host, isUp: index % 4 == 0, payload: 100 + index)
            }
        }
        return data
    }

    static func report(_ path: String, inMemory: Int) throws -> CaptureReport {
        var options = CaptureOptions()
        options.packetsInMemory = inMemory
        let analyzer = CaptureAnalyzer(radio: try GoldenFiles.radio("lte-2012-aro"))
        return try analyzer.analyze(path: path, options: options)
    }

    @Test func `a capture that goes through a temporary file gives the same report`() throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "onebar-\(UUID().uuidString).pcap").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.capture().write(to: URL(filePath: path))
        let whole = try Self.report(path, inMemory: 1_000_000)
        let pieces = try Self.report(path, inMemory: 64)
        #expect(whole.packets == 774)
        #expect(!whole.advice.isEmpty)
        #expect(whole.bursts.count == 60)
        #expect(pieces.packets == whole.packets)
        #expect(pieces.states == whole.states)
        #expect(pieces.bursts == whole.bursts)
        #expect(pieces.hosts == whole.hosts)
        #expect(pieces.periods == whole.periods)
        #expect(pieces.advice == whole.advice)
        #expect(pieces.findings == whole.findings)
        #expect(pieces.cutTailJoules == whole.cutTailJoules)
        #expect(pieces.notes == whole.notes)
    }
}
